#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "runtime/host/phone_report/answers.hpp"
#include "runtime/host/phone_report/query.hpp"
#include "support/phone_report_file.hpp"

using namespace clawperator;

namespace {

const ReportSecrets kSecrets{{"R58M12ABCDE", "127.0.0.1:5555"}, "com.clawperator.operator"};

PhoneReport with(std::string id, PhoneAnswer answer) {
  PhoneReport report;
  report.operator_package = "com.clawperator.operator";
  answer.id = std::move(id);
  report.answers = {std::move(answer)};
  return report;
}

PhoneAnswer said(std::string out, int status = 0, std::string err = {}) {
  PhoneAnswer answer;
  answer.ended = Ended::whole;
  answer.status = status;
  answer.bytes = out.size();
  answer.out = std::move(out);
  answer.err = std::move(err);
  return answer;
}

std::string reading(const std::string& id, PhoneAnswer answer) {
  const auto readings = read_answers(with(id, std::move(answer)));
  REQUIRE(readings.size() == 1);
  return readings.front().value;
}

}  // namespace

TEST_CASE("phone report: what must not leave a phone is taken out", "[host]") {
  struct Row {
    const char* text;
    const char* kept;
  };
  const auto row = GENERATE(values<Row>({
      {"serial R58M12ABCDE\n", "serial <serial>\n"},
      {"UserInfo{0:Jane Doe:c13} running\n", "UserInfo{0:<name>:c13} running\n"},
      {"UserInfo{150:a:b:30}", "UserInfo{150:<name>:30}"},
      {"Display 1 (HWC display 0): port=0 pnpId=GGL displayName=\"Jane's TV\"",
       "Display 1 (HWC display 0): port=0 pnpId=GGL displayName=\"<name>\""},
      {"com.bank/com.bank.Service:com.clawperator.operator/a.B",
       "<app>/<service>:com.clawperator.operator/a.B"},
      {"ComponentInfo{org.x.y/.Z}", "ComponentInfo{<app>/<service>}"},
      {"/system/lib64/a.so/b", "/system/lib64/a.so/b"},
      {"a\x1b[2J\xff\r\nb\tc", "a?[2J?\nb\tc"},
      {"UserInfo{0", "UserInfo{0"},
      {"", ""},
  }));
  CHECK(redact(row.text, kSecrets) == row.kept);
}

TEST_CASE("phone report: redaction leaves nothing to redact", "[host]") {
  const std::string text =
      "UserInfo{0:Jane:c13} com.bank/com.bank.S R58M12ABCDE displayName=\"x\" 127.0.0.1:5555";
  const std::string once = redact(text, kSecrets);
  CHECK(redact(once, kSecrets) == once);
  for (const char* secret : {"Jane", "bank", "R58M", "127.0"}) {
    CHECK_THAT(once, !Catch::Contains(secret));
  }
}

TEST_CASE("phone report: what was written is read back", "[host]") {
  PhoneReport report = with("user", said("0\n"));
  report.program = "clawperator 1.2.3";
  report.route = "usb";
  report.features = {"cmd", "shell_v2"};
  report.max_service_size = 65535;
  report.answers.front().service = std::string("abb:package\0path", 16);
  report.answers.front().first_ms = 3;
  const auto again = parse_phone_report(to_json(report));
  REQUIRE(again);
  CHECK(*again == report);
  CHECK_FALSE(parse_phone_report("{}"));
  CHECK_FALSE(parse_phone_report("no json"));
  CHECK(parse_phone_report(R"({"schemaVersion":1,"answers":[1,{"id":5,"status":"x"}]})"));
}

TEST_CASE("phone report: every question has a name of its own, a reason and a bound", "[host]") {
  const auto questions = phone_questions("com.clawperator.operator", Consent::settings);
  std::set<std::string_view> ids;
  for (const PhoneQuestion& question : questions) {
    INFO(question.id);
    CHECK(ids.insert(question.id).second);
    CHECK_FALSE(question.about.empty());
    CHECK(question.limit <= std::chrono::seconds(8));
  }
}

TEST_CASE("phone report: only with consent is a setting touched", "[host]") {
  for (const PhoneQuestion& question : phone_questions("com.x", Consent::none)) {
    INFO(question.service);
    for (const char* changing : {" put ", " delete ", " set ", "setprop", "pm grant"}) {
      CHECK(question.service.find(changing) == std::string::npos);
    }
  }
}

TEST_CASE("phone report: what phones are known to answer, read", "[host]") {
  const std::string package = "package:com.clawperator.operator\n";
  const std::string refused =
      "java.lang.SecurityException: Shell does not have permission to "
      "access user 150\n";
  struct Row {
    const char* id;
    PhoneAnswer answer;
    const char* value;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"abb.status", said(package, 1), "status 1, answered"},
      {"abb.status", said("", 1, "error"), "status 1, not answered"},
      {"packages.any_user", said("", 255, refused),
       "failed: java.lang.SecurityException: Shell does not have permission to access user 150"},
      {"packages.any_user", said(package), "listed"},
      {"packages.any_user", said(""), "not listed"},
      {"packages.any_user", said("package:com.clawperator.operator.dev\n"), "not listed"},
      {"shell.version", said("@(#)MIRBSD KSH R59 2020/10/31 Android\n18\n"), "mksh"},
      {"shell.version", said("\n1\n"), "another"},
      {"shell.patterns", said("[a]\n[a]\n"), "a bar is a letter"},
      {"shell.patterns", said("[a|b]\n[a]\n"), "a bar separates alternatives"},
      {"log.from_epoch", said(""), "accepted"},
      {"log.from_epoch", said("", 0, "logcat: parsed partial time"), "accepted with a warning"},
      {"log.from_epoch", said("", 1, "-T \"1.0\" not in time format\n"),
       "failed: -T \"1.0\" not in time format"},
      {"log.level", said("I\n\nprobe=--------- beginning of main\n"), "dropped"},
      {"log.level", said("\n\nprobe=D/ClawperatorProbe( 1): debug\n"), "kept"},
      {"users", said("Users:\n\tUserInfo{0:<name>:c13} running\n\tUserInfo{150:<name>:30}\n"), "2"},
      {"screen.capture", said("38040000600900000100000001000000"), "16 bytes of header"},
      {"screen.capture", said("", 0), "failed"},
      {"screen.capture", said("zz"), "failed: zz"},
      {"settings.round_trip", said("1\nDeleted 1 rows\n"), "kept"},
      {"settings.round_trip", said("null\n", 255, "java.lang.SecurityException: x\n"),
       "failed: java.lang.SecurityException: x"},
      {"services.automation", said("Ui Automation[eventTypes=x]\n"), "connected"},
      {"services.automation", said("ACCESSIBILITY MANAGER (dumpsys accessibility)\n"), "none"},
      {"services.automation", said(""), "not told"},
      {"services.listeners", said("Can't find service\n"), "not told"},
  }));
  INFO(row.id);
  CHECK(reading(row.id, row.answer) == row.value);
}

TEST_CASE("phone report: an answer that is none is read as such", "[host]") {
  PhoneAnswer answer;
  for (const auto& [ended, value] :
       {std::pair{Ended::refused, "refused"}, {Ended::broken, "broken"}, {Ended::late, "never"}}) {
    answer.ended = ended;
    CHECK(reading("user", answer) == value);
  }
}

TEST_CASE("phone report: a follower is judged by its first byte", "[host]") {
  PhoneAnswer answer;
  answer.ended = Ended::late;
  answer.bytes = 100;
  answer.first_ms = 12;
  CHECK(reading("log.binary", answer) == "at once");
  answer.first_ms = 1400;
  CHECK(reading("log.binary", answer) == "held back");
  CHECK(reading("log.binary", said("", 1, "Unable to open")) == "failed: Unable to open");
}

// Each file is what one phone answered; its readings are what was found when it was looked at.
TEST_CASE("phone reports: every stored phone is read as it was found", "[host][T1]") {
  std::size_t phones = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CLAWPERATOR_PHONES)) {
    if (entry.path().extension() != ".json") continue;
    INFO(entry.path());
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const auto report = parse_phone_report(text.str());
    REQUIRE(report);
    CHECK(to_json(*report) == text.str());
    CHECK(redact(text.str(), kSecrets) == text.str());
    ++phones;
  }
  CHECK(phones == 2);
}
