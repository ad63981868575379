// A secret text that is typed: none of an execution's outputs contains it.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>

#include "base/files.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/log/event_log.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace adbproto;

namespace {

constexpr std::string_view kSecret = "hunter2";
const std::string kDots(kMask);

std::string typing(std::string_view more = "", std::string_view then = "") {
  return R"({"id":"a1","type":"enter_text","params":{"matcher":{"resourceId":"a:id/pw"},"text":")" +
         std::string(kSecret) + "\"" + std::string(more) + "}}" + std::string(then);
}

constexpr std::string_view kMarked = R"(,"secret":true)";
constexpr std::string_view kThenLook = R"(,{"id":"s1","type":"snapshot_ui"})";

std::string screen(std::string_view text, bool password = true) {
  return "<hierarchy rotation=\"0\"><node index=\"0\" text=\"" + std::string(text) +
         "\" resource-id=\"a:id/pw\" class=\"android.widget.EditText\" package=\"a\" "
         "content-desc=\"\" clickable=\"true\" enabled=\"true\" focusable=\"true\" "
         "focused=\"true\" password=\"" +
         (password ? "true" : "false") + "\" bounds=\"[0,0][100,100]\" /></hierarchy>";
}

std::string echoed() { return step("a1", "enter_text", true, R"({"text":"hunter2 "})"); }

std::string seen(const std::string& xml) {
  return step("s1", "snapshot_ui", true, JsonObject().text("text", xml).str());
}

std::string text_of(const Result<ExecuteResult>& result, std::size_t index = 0) {
  const auto* text = find_data(result.value().envelope.step_results.at(index).data, "text");
  return text ? *text : "";
}

// A phone without the Operator app: the screens that it shows, one look after the other.
struct ShellPhone {
  explicit ShellPhone(std::vector<std::string> looks) : screens(std::move(looks)) {
    at.phone.after_broadcast = prints("");
    at.phone.prepare = [this](FakeDevice& device) {
      device.serve("shell,v2,raw:getprop", prints("34\n"));
      device.serve("shell,v2,raw:rm -f", [this](ByteStreamPtr stream, const std::string& service) {
        const std::string xml = screens.at(std::min(looked++, screens.size() - 1));
        return prints(xml)(std::move(stream), service);
      });
    };
  }

  Result<ExecuteResult> run(const std::string& actions) {
    ExecuteRequest request = EngineBench::request(actions);
    request.backend = Backend::shell;
    return at.run(std::move(request));
  }
  // How often each key was pressed.
  [[nodiscard]] std::map<std::string, int> keys() const {
    std::map<std::string, int> pressed;
    for (const auto& words : at.phone.commands()) {
      if (words.size() < 2 || words[1] != "keyevent") continue;
      for (std::size_t i = 2; i < words.size(); ++i) ++pressed[words[i]];
    }
    return pressed;
  }

  std::vector<std::string> screens;
  std::size_t looked = 0;
  EngineBench at;
};

constexpr const char* kDel = "67";
constexpr const char* kForwardDel = "112";
constexpr const char* kEnd = "123";
constexpr const char* kEnter = "66";

}  // namespace

TEST_CASE("secrets: the phone gets it, the answer does not", "[loopback][secrets]") {
  EngineBench at;
  std::string payload;
  at.phone.on_broadcast = [&](const std::string& sent) {
    payload = sent;
    at.phone.log(result_line(echoed()));
  };
  const auto result = at.run(typing(kMarked));
  CHECK(text_of(result) == kDots);
  CHECK(payload.contains(R"("text":"hunter2"})"));
  CHECK_FALSE(payload.contains("secret"));
  CHECK(result->secrets.has(kSecret));
}

TEST_CASE("secrets: what is none is answered as it was", "[loopback][secrets]") {
  EngineBench at;
  at.answers(result_line(echoed() + "," + seen(screen("hunter2", false))));
  const auto result = at.run(typing("", kThenLook));
  CHECK(text_of(result) == "hunter2 ");
  CHECK(text_of(result, 1).contains("hunter2"));
  CHECK(result->secrets.empty());
}

TEST_CASE("secrets: the tree after it shows that the field is one for passwords",
          "[loopback][secrets]") {
  EngineBench at;
  at.answers(result_line(echoed() + "," + seen(screen("hunter2"))));
  const auto result = at.run(typing("", kThenLook));
  CHECK(text_of(result) == kDots);
  CHECK(text_of(result, 1).contains("text=\"" + kDots + "\""));
  CHECK(text_of(result, 1).contains("bounds=\"[0,0][100,100]\""));
}

TEST_CASE("secrets: what went before is masked in what comes after", "[loopback][secrets]") {
  EngineBench at;
  at.answers(result_line(seen(screen("hunter2", false))));
  ExecuteRequest request = EngineBench::request(kThenLook.substr(1));
  request.secrets.add(kSecret);
  CHECK_FALSE(text_of(at.run(std::move(request))).contains("hunter2"));
}

TEST_CASE("secrets: no event, stage or warning quotes what is typed", "[loopback][secrets]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log("[Clawperator-Event] {\"commandId\":\"c-1\",\"typed\":\"hunter2\"}");
    at.phone.log(
        "[Clawperator-Command] stage-start commandId=c-1 taskId=t-1 id=enterText(hunter2) "
        "label=enterText(hunter2)");
    at.phone.log(result_line(echoed()));
  };
  std::string reported;
  ExecuteRequest request = EngineBench::request(typing());
  request.on_event = [&](std::string_view text) { reported += text; };
  request.on_stage = [&](const Stage& stage) {
    reported += stage.operation;
    reported += stage.detail;
  };
  REQUIRE(at.run(std::move(request)));
  CHECK(reported.contains("enterText(" + kDots + ")"));
  CHECK(reported.contains("\"typed\":\"" + kDots + "\""));
  CHECK_FALSE(reported.contains("hunter2"));
}

TEST_CASE("secrets: no error and no log quotes what is typed", "[loopback][secrets]") {
  EngineBench at;
  at.phone.on_broadcast = [&](const std::string&) {
    at.phone.log("[Clawperator-Command] start commandId=c-1 taskId=t-1 text=hunter2");
  };
  EventLog log({.folder = at.home.file("logs"), .level = LogLevel::debug});
  const auto result =
      at.time.run(at.loop, execute(EngineBench::request(typing()), &log, at.phone.resolve()),
                  std::chrono::milliseconds(20));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::result_envelope_timeout);
  CHECK(result.error().members().contains("text=" + kDots));
  CHECK_FALSE(result.error().members().contains("hunter2"));
  const auto written = read_file(*log.path(), std::size_t{1} << 20);
  REQUIRE(written);
  CHECK(written->contains("execution.failed"));
  CHECK_FALSE(written->contains("hunter2"));
}

TEST_CASE("secrets: by the shell a password that is not shown is deleted", "[loopback][secrets]") {
  const std::string typed = screen("\u2022\u2022\u2022\u2022\u2022\u2022\u2022");
  struct Row {
    std::string before;
    int deleted;
  };
  const Row rows[] = {{"", 64}, {"Password", 64}, {"\u2022\u2022\u2022", 5}};
  for (const Row& row : rows) {
    INFO(row.before);
    ShellPhone phone({screen(row.before), typed});
    const auto result = phone.run(typing());
    CHECK(text_of(result) == kDots);
    CHECK(find_data(result->envelope.step_results.front().data, "warn") == nullptr);
    CHECK(phone.keys() == std::map<std::string, int>{{kEnd, 1}, {kDel, row.deleted}});
    CHECK(result->secrets.has(kSecret));
  }
}

TEST_CASE("secrets: by the shell an empty field of another kind costs no keys",
          "[loopback][secrets]") {
  ShellPhone phone({screen("", false), screen("hunter2", false)});
  CHECK(text_of(phone.run(typing())) == "hunter2");
  CHECK(phone.keys().empty());
  ShellPhone full({screen("Ada", false), screen("hunter2", false)});
  CHECK(text_of(full.run(typing(kMarked))) == kDots);
  CHECK(full.keys() == std::map<std::string, int>{{kEnd, 1}, {kDel, 5}, {kForwardDel, 5}});
}

TEST_CASE("secrets: by the shell a password of another length is not sent", "[loopback][secrets]") {
  const std::string both = screen("\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022");
  ShellPhone sent({screen(""), both});
  const auto refused = sent.run(typing(R"(,"submit":true)"));
  REQUIRE(refused);
  CHECK(refused->envelope.status == EnvelopeStatus::failed);
  CHECK(refused->envelope.error.value_or("").starts_with("The text was not sent"));
  CHECK(sent.keys()[kEnter] == 0);
  ShellPhone kept({screen(""), both});
  const auto warned = kept.run(typing());
  CHECK(find_data(warned.value().envelope.step_results.front().data, "warn") != nullptr);
  ShellPhone blind({screen(""), screen("")});
  CHECK(blind.run(typing(R"(,"submit":true)"))->envelope.status == EnvelopeStatus::success);
  CHECK(blind.keys()[kEnter] == 1);
}
