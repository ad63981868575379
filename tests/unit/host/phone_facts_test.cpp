#include "runtime/host/phone_report/facts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "support/phone_report_file.hpp"

using namespace clawperator;

namespace {

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

PhoneReport recorded(const std::string& phone) {
  auto report =
      parse_phone_report(content_of(std::string(CLAWPERATOR_PHONES "/") + phone + ".json"));
  REQUIRE(report);
  return *std::move(report);
}

PhoneAnswer* answer_in(PhoneReport* report, std::string_view id) {
  const auto at = std::ranges::find(report->answers, id, &PhoneAnswer::id);
  REQUIRE(at != report->answers.end());
  return &*at;
}

using Verdicts = std::map<std::string_view, Verdict>;
Verdicts verdicts_of(const PhoneReport& report) {
  Verdicts verdicts;
  for (const Finding& finding : judge_facts(report)) {
    CHECK(verdicts.emplace(finding.id, finding.verdict).second);
  }
  return verdicts;
}

// With another API level, and nothing else.
PhoneReport of_release(PhoneReport report, int sdk) {
  answer_in(&report, "versions")->out = "build.version.sdk=" + std::to_string(sdk) + "\n";
  return report;
}

std::set<std::string> ids_by(const std::string& page, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::multiline);
  std::set<std::string> ids;
  for (std::sregex_iterator at(page.begin(), page.end(), regex), end; at != end; ++at) {
    INFO((*at)[1]);
    CHECK(ids.insert((*at)[1]).second);
  }
  return ids;
}

}  // namespace

TEST_CASE("phone facts: docs/internals/android.md has each, and its other statements have a reason",
          "[host]") {
  const std::string page = content_of(CLAWPERATOR_ANDROID_PAGE);
  const auto versions = page.find("\n## Versions");
  REQUIRE(versions != page.npos);
  std::set<std::string> stated =
      ids_by(page.substr(versions), "^(?:\\| |- )`([a-z_]+\\.[a-z_]+)`(?: \\||:)");
  CHECK(stated.size() > 40);
  // The list of what is not asked is above the table; its lines name one or two.
  std::set<std::string> not_asked;
  std::istringstream lines(page.substr(0, versions));
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("- `")) continue;
    const auto reason = line.find(": ");
    REQUIRE(reason != line.npos);
    for (const std::string& id : ids_by(line.substr(0, reason), "`([a-z_.]+)`")) {
      INFO(id);
      CHECK(not_asked.insert(id).second);
      CHECK(page.find("| `" + id + "` |") != page.npos);
      stated.erase(id);
    }
  }
  CHECK(not_asked.size() > 5);
  std::set<std::string> judged;
  for (const Finding& finding : judge_facts({})) judged.emplace(finding.id);
  CHECK(judged == stated);
  // Every row of the table begins with an id.
  const std::string table = page.substr(versions, page.find("\n## ", versions + 1) - versions);
  CHECK(ids_by(table, "^\\| ([^`i-][^|]*) \\|").empty());
}

TEST_CASE("phone facts: every query that decides one is sent", "[host]") {
  const PhoneReport report = recorded("android-7");
  for (const int sdk : {24, 27, 29, 30, 31, 33, 34, 36}) {
    for (const Finding& finding : judge_facts(of_release(report, sdk))) {
      INFO(finding.id);
      CHECK(finding.saw != "not asked");
      CHECK_FALSE(finding.statement.empty());
    }
  }
}

// What one answer of a recorded phone is changed to, and the statement that is wrong then.
TEST_CASE("phone facts: a phone made wrong on purpose differs in that statement alone", "[host]") {
  struct Row {
    const char* phone;
    const char* question;
    const char* printed;
    const char* id;
  };
  const auto row = GENERATE(values<Row>({
      {"android-7", "help.activity", "Activity manager (activity) commands:\nbroadcast <INTENT>\n",
       "activity.broadcast"},
      {"xiaomi", "help.activity", "Activity manager (activity) commands:\nforce-stop\n",
       "activity.broadcast"},
      {"xiaomi", "help.notification", "usage: cmd notification SUBCMD [args]\nSUBCMDs:\n",
       "listeners.command"},
      {"android-7", "input.service", "Usage: input [<source>] <command>\n", "input.service"},
      {"xiaomi", "input.service", "No shell command implementation.\n", "input.service"},
      {"android-7", "services.restricted", "No operations.\n", "apps.restricted"},
      {"xiaomi", "services.restricted", "Error: Unknown operation string: X\n", "apps.restricted"},
      {"android-7", "packages.versions", "package:com.x versionCode:1\n", "packages.versions"},
      {"xiaomi", "packages.versions", "package:com.x\n", "packages.versions"},
      {"xiaomi", "log.sizes", "events: ring buffer is 256 KiB\n", "crash.log"},
      {"xiaomi", "input.usage", "Usage: input [<source>] <command>\n", "input.drag"},
      {"xiaomi", "keyboard.shown", "Input Method Manager\n", "keyboard.shown"},
      {"android-7", "help.window", "Window manager (window) commands:\nuser-rotation [lock]\n",
       "rotation.command"},
      {"xiaomi", "help.window",
       "Window manager (window) commands:\nset-user-rotation [lock]\nfixed-to-user-rotation [x]\n",
       "rotation.command"},
      {"android-7", "window.windows", "MANAGER WINDOWS\nmFocusedApp=AppWindowToken\n",
       "window.focus"},
      {"xiaomi", "window.displays",
       "DISPLAY CONTENTS\n cur=1x2\nInsetsSource id=3 type=ime\nmFocusedApp=ActivityRecord\n",
       "window.focus"},
      {"android-7", "window.windows",
       "MANAGER WINDOWS\nmCurrentFocus=\nmFocusedApp=ActivityRecord\n", "window.activity"},
      {"xiaomi", "window.displays",
       "DISPLAY CONTENTS\n cur=1x2\nInsetsSource id=3 type=ime\nmCurrentFocus=\n"
       "mFocusedApp=AppWindowToken\n",
       "window.activity"},
      {"xiaomi", "window.displays",
       "DISPLAY CONTENTS\nInsetsSource id=3 type=ime\nmCurrentFocus=\n"
       "mFocusedApp=ActivityRecord\n",
       "screen.turned"},
      {"xiaomi", "window.displays",
       "DISPLAY CONTENTS\n cur=1x2\nInsetsSource type=ITYPE_IME\nmCurrentFocus=\n"
       "mFocusedApp=ActivityRecord\n",
       "keyboard.inset"},
      {"xiaomi", "window.last_anr", "Bad window command\n", "window.last_anr"},
      {"android-7", "help.wifi", "Wi-Fi (wifi) commands:\nset-wifi-enabled enabled\n",
       "wifi.command"},
      {"xiaomi", "help.wifi", "Wi-Fi (wifi) commands:\n", "wifi.command"},
      {"xiaomi", "help.connectivity", "Connectivity service commands:\n", "airplane.command"},
      {"xiaomi", "notifications.titles", "Notification List:\nandroid.title=String (\n",
       "notifications.lengths"},
      {"xiaomi", "notifications.titles", "android.title=String [\n", "notifications.heading"},
      {"android-7", "help.statusbar", "Status bar commands:\nexpand-notifications\n",
       "shade.command"},
      {"xiaomi", "help.statusbar", "Status bar commands:\n", "shade.command"},
      {"xiaomi", "serialno", "empty\n", "phone.serialno"},
      {"android-7", "video.help", "the maximum recording time. Default is 180.\n", "video.limit"},
      {"xiaomi", "video.help", "the maximum recording time. Default / maximum is 180.\n",
       "video.limit"},
      {"android-7", "processes.headings", "USER NAME\n", "processes.columns"},
      {"xiaomi", "processes.columns", "USER PID PPID NAME\n", "processes.columns"},
      {"android-7", "packages.any_user", "java.lang.SecurityException: no\n", "packages.users"},
      {"xiaomi", "screen.state", "POWER MANAGER\nPOLICY STATE\nmIsShowing=false\n", "screen.awake"},
      {"xiaomi", "screen.state", "POWER MANAGER\nmWakefulness=Awake\nPOLICY STATE\n",
       "screen.locked"},
      {"xiaomi", "start.missing", "Starting: Intent { }\n", "start.errors"},
      {"xiaomi", "start.launcher", "Unknown command: resolve-activity\n", "start.launcher"},
  }));
  INFO(row.phone << ": " << row.id);
  PhoneReport report = recorded(row.phone);
  REQUIRE(is_as_described(judge_facts(report)));
  PhoneAnswer* answer = answer_in(&report, row.question);
  answer->out = row.printed;
  answer->err.clear();
  const auto findings = judge_facts(report);
  CHECK_FALSE(is_as_described(findings));
  for (const Finding& finding : findings) {
    INFO(finding.id << ": " << finding.saw);
    CHECK((finding.verdict == Verdict::differs) == (finding.id == row.id));
    if (finding.id == row.id) CHECK_FALSE(finding.saw.empty());
  }
}

TEST_CASE("phone facts: a status made wrong on purpose", "[host]") {
  struct Row {
    const char* phone;
    int sdk;
    const char* question;
    int status;
    const char* id;
  };
  const auto row = GENERATE(values<Row>({
      {"xiaomi", 34, "abb.status", 0, "abb.status"},
      {"xiaomi", 34, "abb.status", 126, "abb.status"},
      {"xiaomi", 34, "input.refusal", 255, "input.status"},
      {"android-7", 25, "start.missing", 1, "start.status"},
      {"xiaomi", 36, "start.missing", 0, "start.status"},
      {"xiaomi", 36, "packages.any_user", 255, "packages.users"},
  }));
  INFO(row.id);
  PhoneReport report = of_release(recorded(row.phone), row.sdk);
  answer_in(&report, row.question)->status = row.status;
  CHECK(verdicts_of(report)[row.id] == Verdict::differs);
  answer_in(&report, row.question)->status.reset();
  CHECK(verdicts_of(report)[row.id] != Verdict::holds);
}

TEST_CASE("phone facts: binary entries of the log are judged by their blocks, not by the clock",
          "[host]") {
  struct Row {
    int sdk;
    std::uint64_t binary, text;
    Verdict verdict;
  };
  const auto row = GENERATE(values<Row>({
      {33, 0, 90, Verdict::holds},
      {33, 8192, 90, Verdict::holds},
      {33, 4100, 90, Verdict::differs},
      {33, 0, 0, Verdict::open},
      {34, 4100, 90, Verdict::holds},
      {34, 0, 90, Verdict::differs},
      {32, 8192, 90, Verdict::differs},
      {32, 0, 0, Verdict::open},
  }));
  PhoneReport report = of_release(recorded("xiaomi"), row.sdk);
  answer_in(&report, "log.binary")->bytes = row.binary;
  answer_in(&report, "log.text")->bytes = row.text;
  CHECK(verdicts_of(report)["log.binary"] == row.verdict);
}

TEST_CASE("phone facts: an answer that is none leaves its statement open", "[host]") {
  PhoneReport report = recorded("xiaomi");
  PhoneAnswer* answer = answer_in(&report, "help.wifi");
  for (const Ended ended : {Ended::refused, Ended::late, Ended::endless, Ended::broken}) {
    answer->ended = ended;
    CHECK(verdicts_of(report)["wifi.command"] == Verdict::open);
  }
  answer->ended = Ended::whole;
  for (const char* text : {"", "Unknown command: help\n", "\xff\x01", "sh: cmd: not found\n"}) {
    answer->out = text;
    CHECK(verdicts_of(report)["wifi.command"] == Verdict::open);
  }
  report.answers.clear();
  for (const auto& [id, verdict] : verdicts_of(report)) CHECK(verdict == Verdict::open);
}

TEST_CASE("phone facts: a statement about other releases is no finding about this one", "[host]") {
  const PhoneReport report = recorded("android-7");
  const Verdicts at_26 = verdicts_of(of_release(report, 26));
  CHECK(at_26.at("packages.versions") == Verdict::other_release);
  CHECK(at_26.at("listeners.command") == Verdict::other_release);
  CHECK(verdicts_of(of_release(report, 32)).at("start.status") == Verdict::other_release);
  CHECK(verdicts_of(report).at("abb.status") == Verdict::other_release);
}

TEST_CASE("phone facts: one list of JSON, and of what was seen one short line", "[host]") {
  PhoneReport report = recorded("xiaomi");
  answer_in(&report, "input.usage")->out = "Usage: input " + std::string(4000, 'x') + "\ny\n";
  const auto json = nlohmann::json::parse(conformance_json(report));
  CHECK(json["ok"] == false);
  CHECK(json["phone"] == nlohmann::json{{"sdk", 34}, {"maker", "Xiaomi"}});
  CHECK(json["counts"]["differs"] == 1);
  const auto findings = judge_facts(report);
  REQUIRE(json["facts"].size() == findings.size());
  int differs = 0;
  for (const auto& fact : json["facts"]) {
    CHECK_FALSE(fact["statement"].get<std::string>().empty());
    if (fact["verdict"] != "differs") continue;
    ++differs;
    CHECK(fact["id"] == "input.drag");
    CHECK(fact["saw"].get<std::string>().size() <= 120);
    CHECK(fact["saw"].get<std::string>().starts_with("Usage: input xxx"));
  }
  CHECK(differs == 1);
  report.answers.clear();
  CHECK(nlohmann::json::parse(conformance_json(report))["phone"]["sdk"].is_null());
}
