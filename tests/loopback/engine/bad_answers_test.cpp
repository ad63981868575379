// A phone that answers a question of the main path with nothing, garbage, 100 MB or never: one
// stable code, soon, a bounded part of the answer read, and nothing dispatched that was not due.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>

#include "support/engine_bench.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;

namespace {

constexpr int kPieces = 2000;
constexpr std::size_t kPiece = 50'000;  // times kPieces: 100 MB
constexpr std::string_view kNoService =
    R"([Clawperator-Result] {"commandId":"c-1","taskId":"t-1","status":"failed","stepResults":[],)"
    R"("error":"Accessibility service is not available","errorCode":"SERVICE_UNAVAILABLE"})";

Task<void> pour(adbproto::ByteStreamPtr stream, std::shared_ptr<std::size_t> poured) {
  const std::string text(kPiece, 'x');
  const Bytes packet = encode_shell_packet(adbproto::ShellId::standard_out, as_bytes(text));
  for (int i = 0; i < kPieces; ++i) {
    CO_TRY_VOID(co_await stream->write_all(packet));
    *poured += kPiece;
  }
  co_return ok();
}

enum class Answer { nothing, garbage, flood, never };

FakeService service_of(Answer answer, std::shared_ptr<std::size_t> poured) {
  switch (answer) {
    case Answer::nothing: return prints("");
    case Answer::garbage: return prints("\x01\xff\xfe{]|0;\x1b[2J");
    case Answer::flood:
      return [poured](adbproto::ByteStreamPtr stream, const std::string&) {
        return pour(std::move(stream), poured);
      };
    case Answer::never: return hangs();
  }
  return hangs();
}

// "OK", a host error's code, the code of an envelope or of its first failed step.
std::string outcome(const Result<ExecuteResult>& result) {
  if (!result) return std::string(result.error().code()->published);
  if (result->envelope.error_code) return *result->envelope.error_code;
  for (const StepResult& step : result->envelope.step_results) {
    const std::string* error = find_data(step.data, "error");
    if (!step.success) return error ? *error : "failed";
  }
  return "OK";
}

struct DeviceQuestion {
  std::string_view name;
  std::string_view service;  // begins with
  std::string_view actions;
  std::string_view nothing, garbage, flood, never;  // what comes of each answer
  int dispatched;                                   // whatever comes of it; -1: once if OK
};

constexpr std::string_view kPicture = R"({"id":"p1","type":"take_screenshot"})";
constexpr std::string_view kStop =
    R"({"id":"x1","type":"close_app","params":{"applicationId":"com.other"}})";

constexpr DeviceQuestion kQuestions[] = {
    {"the log", "shell,v2,raw:read B", kClick, "LOGCAT_UNAVAILABLE", "LOGCAT_UNAVAILABLE",
     "LOGCAT_UNAVAILABLE", "LOGCAT_UNAVAILABLE", 0},
    {"the Operator's package", "shell,v2,raw:cmd package", kClick, "OPERATOR_NOT_INSTALLED",
     "OPERATOR_NOT_INSTALLED", "LIMIT_EXCEEDED", "COMMAND_TIMEOUT", 0},
    {"who is in front", "shell,v2,raw:cmd activity 'get-current-user'", kClick, "OK", "OK",
     "LIMIT_EXCEEDED", "COMMAND_TIMEOUT", -1},
    {"stopping an app", "shell,v2,raw:cmd activity 'force-stop'", kStop, "OK", "OK",
     "DEVICE_SHELL_UNAVAILABLE", "DEVICE_SHELL_UNAVAILABLE", -1},
    {"the enabled services", "shell,v2,raw:cmd settings", kClick, "SERVICE_UNAVAILABLE",
     "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", 1},
    {"the screen's size", "shell,v2,raw:wm size", kClick, "OK", "OK", "OK", "OK", 1},
    {"a picture", "shell,v2,raw:screencap", kPicture, "SCREENSHOT_CAPTURE_FAILED",
     "SCREENSHOT_CAPTURE_FAILED", "SCREENSHOT_CAPTURE_FAILED", "SCREENSHOT_CAPTURE_FAILED", 1},
};

std::string_view expected(const DeviceQuestion& question, Answer answer) {
  switch (answer) {
    case Answer::nothing: return question.nothing;
    case Answer::garbage: return question.garbage;
    case Answer::flood: return question.flood;
    case Answer::never: return question.never;
  }
  return {};
}

}  // namespace

TEST_CASE("bad answers: each question of the main path", "[loopback]") {
  const DeviceQuestion& question =
      GENERATE(from_range(std::begin(kQuestions), std::end(kQuestions)));
  const Answer answer = GENERATE(Answer::nothing, Answer::garbage, Answer::flood, Answer::never);
  INFO(question.name << " " << static_cast<int>(answer));
  EngineBench at;
  auto poured = std::make_shared<std::size_t>(0);
  at.phone.prepare = [&](FakeDevice& device) {
    device.serve(std::string(question.service), service_of(answer, poured));
  };
  int dispatched = 0;
  const bool misses_service = question.name == "the enabled services";
  at.phone.on_broadcast = [&](const std::string&) {
    ++dispatched;
    const std::string_view type = question.actions == kPicture ? "take_screenshot"
                                  : question.actions == kStop  ? "close_app"
                                                               : "click";
    at.phone.log(misses_service ? std::string(kNoService)
                                : result_line(step(type == "take_screenshot" ? "p1"
                                                   : type == "close_app"     ? "x1"
                                                                             : "a1",
                                                   type)));
  };
  auto request = EngineBench::request(question.actions);
  request.ask_screen_size = true;
  const std::string code = outcome(at.run(std::move(request)));
  CHECK(code == expected(question, answer));
  CHECK(dispatched == (question.dispatched >= 0 ? question.dispatched : code == "OK" ? 1 : 0));
  CHECK(*poured < 70'000'000);  // kMaxShellOutput
  CHECK(at.time.elapsed() < 60s);
}
