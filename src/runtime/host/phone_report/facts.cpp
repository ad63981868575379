#include "runtime/host/phone_report/facts.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator {

namespace {

constexpr std::array<std::string_view, 4> kVerdicts{"holds", "differs", "open", "other release"};
constexpr int kNewest = std::numeric_limits<int>::max();
constexpr std::size_t kMostSeen = 100;  // enough to recognize an answer, short in a table

enum class Word { has, lacks };

// Several rows of one id are about several releases. Texts with `|` are alternatives.
struct Fact {
  std::string_view id;
  int first, last;  // API levels
  std::string_view statement;
  std::string_view question;
  std::string_view readable;  // an answer without any of these decides nothing
  Word word;
  std::string_view text;  // which the answer has, or lacks, where the statement holds
};

// A service's help, or the reason why it has none.
constexpr std::string_view kHelp =
    "ommands:|SUBCMDs:|allow_listener|No shell command implementation|Can't find "
    "service|SecurityException";
constexpr std::string_view kFocusedApp = "mFocusedApp=ActivityRecord|mFocusedApp=AppWindowToken";
constexpr std::string_view kUsers = "SecurityException|package:";
constexpr std::string_view kRestriction =
    "Unknown operation|No operations|Default mode|ACCESS_RESTRICTED_SETTINGS:";

constexpr auto kFacts = std::to_array<Fact>({
    {"activity.broadcast", 0, 25, "`cmd activity` has no broadcasts", "help.activity", kHelp,
     Word::lacks, "\nbroadcast "},
    {"activity.broadcast", 26, kNewest, "`cmd activity` sends broadcasts", "help.activity", kHelp,
     Word::has, "\nbroadcast "},
    {"listeners.command", 27, kNewest, "`cmd notification` has allow_listener", "help.notification",
     kHelp, Word::has, "allow_listener"},
    {"abb.status", 29, kNewest, "abb's exit status is 1, also when it worked", "abb.status",
     "package:", Word::has, "exit 1\n"},
    {"log.binary", 0, 32, "logcat writes binary entries at once", "log.binary", "came|kept back",
     Word::has, "came"},
    {"log.binary", 33, 33, "logcat keeps binary entries back until 4096 bytes are there",
     "log.binary", "came|kept back", Word::has, "kept back"},
    {"log.binary", 34, kNewest, "logcat writes binary entries at once", "log.binary",
     "came|kept back", Word::has, "came"},
    {"input.service", 0, 30, "`cmd input` has no shell commands", "input.service",
     "No shell command implementation|Usage: input", Word::has, "No shell command implementation"},
    {"input.service", 31, kNewest, "`cmd input` is a service with commands", "input.service",
     "No shell command implementation|Usage: input", Word::has, "Usage: input"},
    {"input.status", 0, kNewest, "`input` ends with status 0 when it refuses its words",
     "input.refusal", "nknown command|nvalid arguments|Usage: input", Word::has, "exit 0\n"},
    {"apps.restricted", 0, 32, "there is no operation ACCESS_RESTRICTED_SETTINGS",
     "services.restricted", kRestriction, Word::has, "Unknown operation"},
    {"apps.restricted", 33, kNewest, "there is an operation ACCESS_RESTRICTED_SETTINGS",
     "services.restricted", kRestriction, Word::lacks, "Unknown operation"},
    {"packages.versions", 0, 25, "`pm list packages` refuses --show-versioncode",
     "packages.versions", "package:|Unknown option", Word::has, "Unknown option"},
    {"packages.versions", 27, kNewest, "`pm list packages` knows --show-versioncode",
     "packages.versions", "package:|Unknown option", Word::has, " versionCode:"},
    {"crash.log", 0, kNewest, "the log has a buffer `crash`", "log.sizes", "ring buffer is",
     Word::has, "crash"},
    {"input.drag", 0, kNewest, "`input` has draganddrop", "input.usage", "Usage: input", Word::has,
     "draganddrop"},
    {"keyboard.shown", 0, kNewest, "`dumpsys input_method` has mInputShown", "keyboard.shown",
     "Input Method Manager", Word::has, "mInputShown="},
    {"rotation.command", 0, 28, "`cmd window` has no user rotation", "help.window", kHelp,
     Word::lacks, "user-rotation"},
    {"rotation.command", 29, 30, "`cmd window` has set-user-rotation", "help.window", kHelp,
     Word::has, "\nset-user-rotation "},
    {"rotation.command", 31, kNewest, "`cmd window` has user-rotation", "help.window", kHelp,
     Word::has, "\nuser-rotation "},
    {"window.focus", 0, 28, "mCurrentFocus is in `dumpsys window windows`", "window.windows",
     "MANAGER WINDOWS", Word::has, "mCurrentFocus="},
    {"window.focus", 29, kNewest, "mCurrentFocus is in `dumpsys window displays`",
     "window.displays", "DISPLAY CONTENTS", Word::has, "mCurrentFocus="},
    {"window.activity", 0, 28, "mFocusedApp is an AppWindowToken", "window.windows", kFocusedApp,
     Word::has, "mFocusedApp=AppWindowToken"},
    {"window.activity", 29, 29, "mFocusedApp is an AppWindowToken", "window.displays", kFocusedApp,
     Word::has, "mFocusedApp=AppWindowToken"},
    {"window.activity", 30, kNewest, "mFocusedApp is an ActivityRecord", "window.displays",
     kFocusedApp, Word::has, "mFocusedApp=ActivityRecord"},
    {"window.last_anr", 0, kNewest, "`dumpsys window` has a section lastanr", "window.last_anr",
     "LAST ANR|Bad window command", Word::has, "LAST ANR"},
    {"wifi.command", 0, 29, "`cmd wifi` has no set-wifi-enabled", "help.wifi", kHelp, Word::lacks,
     "set-wifi-enabled"},
    {"wifi.command", 30, kNewest, "`cmd wifi` has set-wifi-enabled", "help.wifi", kHelp, Word::has,
     "set-wifi-enabled"},
    {"airplane.command", 29, kNewest, "`cmd connectivity` has airplane-mode", "help.connectivity",
     kHelp, Word::has, "airplane-mode"},
    {"notifications.lengths", 0, kNewest, "`dumpsys notification` prints lengths for texts",
     "notifications.titles", "android.title=", Word::lacks, " ("},
    {"notifications.heading", 0, kNewest, "`Notification List:` is above the notifications",
     "notifications.titles", "android.title=", Word::has, "Notification List:"},
    {"shade.command", 0, 25, "`cmd statusbar` has no shell commands", "help.statusbar", kHelp,
     Word::has, "No shell command implementation"},
    {"shade.command", 26, kNewest, "`cmd statusbar` has expand-notifications", "help.statusbar",
     kHelp, Word::has, "expand-notifications"},
    {"phone.serialno", 0, kNewest, "the shell reads ro.serialno", "serialno", "readable|empty",
     Word::has, "readable"},
    {"video.limit", 0, 33, "`screenrecord` takes at most 180 seconds", "video.help",
     "recording time", Word::has, "maximum is 180"},
    {"video.limit", 34, kNewest, "`screenrecord` takes any number of seconds", "video.help",
     "recording time", Word::lacks, "maximum is"},
    {"processes.columns", 0, 25, "the headings of `ps` have PID and NAME", "processes.headings",
     "NAME", Word::has, " PID "},
    {"processes.columns", 26, kNewest, "`ps` prints the columns that it is given",
     "processes.columns", "NAME", Word::has, "\nPID NAME| PID NAME"},
    {"packages.users", 0, 32, "`pm list packages` without a user works", "packages.any_user",
     kUsers, Word::lacks, "SecurityException"},
    {"packages.users", 33, 35, "`pm list packages` fails over a user that is forbidden",
     "packages.any_user", "SecurityException", Word::has, "SecurityException"},
    {"packages.users", 36, kNewest, "`pm list packages` without a user ends with status 0",
     "packages.any_user", kUsers, Word::has, "exit 0\n"},
    {"screen.awake", 0, kNewest, "`dumpsys power` has mWakefulness", "screen.state",
     "POWER MANAGER", Word::has,
     "mWakefulness=Awake|mWakefulness=Asleep|mWakefulness=Dozing|mWakefulness=Dreaming"},
    {"screen.locked", 0, kNewest, "`dumpsys window policy` has mIsShowing", "screen.state",
     "POLICY STATE", Word::has, "mIsShowing=true|mIsShowing=false"},
    {"screen.turned", 0, kNewest, "`dumpsys window displays` has the size as it is turned",
     "window.displays", "DISPLAY CONTENTS", Word::has, " cur="},
    {"keyboard.inset", 30, 33, "a keyboard's inset has type=ITYPE_IME", "window.displays",
     "InsetsSource ", Word::has, "type=ITYPE_IME"},
    {"keyboard.inset", 34, kNewest, "a keyboard's inset has type=ime", "window.displays",
     "InsetsSource ", Word::has, "type=ime"},
    {"start.status", 0, 30, "`am start` ends with status 0 for its own errors", "start.missing",
     "Error", Word::has, "exit 0\n"},
    {"start.status", 36, kNewest, "`am start` ends with status 1 for its own errors",
     "start.missing", "Error", Word::has, "exit 1\n"},
    {"start.errors", 0, kNewest, "`am start -W` prints its errors on stdout", "start.missing",
     "Starting: Intent", Word::has, "Error"},
    {"start.launcher", 26, kNewest, "`cmd package resolve-activity` prints an activity",
     "start.launcher", "priority=|Unknown command", Word::has, "/"},
});

bool has_any(std::string_view text, std::string_view alternatives) {
  return std::ranges::any_of(split(alternatives, '|'),
                             [&](std::string_view each) { return text.contains(each); });
}

// Whether entries came, or nothing but full blocks; without both when the log has no entries.
std::string_view buffering(const PhoneReport& report, const PhoneAnswer& binary) {
  constexpr std::uint64_t kBlock = 4096;
  if (binary.bytes % kBlock != 0) return "came";
  const PhoneAnswer* text = report.find("log.text");
  return binary.bytes > 0 || (text != nullptr && text->bytes > 0) ? "kept back" : "";
}

std::string words_of(const PhoneReport& report, const PhoneAnswer& answer) {
  if (answer.id == "log.binary") return std::string(buffering(report, answer));
  std::string words =
      "\n" + answer.out + "\n" + answer.err + "\n";  // lines begin behind a line feed
  if (answer.status) words += "exit " + std::to_string(*answer.status) + "\n";
  return words;
}

// One line: the first that is not empty, and the status where it is none of success.
std::string seen(std::string_view words) {
  std::string line(first_line(trimmed(words)).substr(0, kMostSeen));
  const auto status = words.rfind("exit ");
  if (status != words.npos && words.substr(status) != "exit 0\n" && !line.starts_with("exit ")) {
    line.append(line.empty() ? "" : ", ").append(trimmed(words.substr(status)));
  }
  return line.empty() ? "nothing" : line;
}

bool can_be_read(const PhoneAnswer& answer) {
  return answer.ended == Ended::whole || (answer.ended == Ended::late && answer.id == "log.binary");
}

std::optional<int> sdk_of(const PhoneReport& report) {
  return whole_number<int>(reading_of(report, "versions"));
}

Finding judge(const PhoneReport& report, const Fact& fact) {
  Finding finding{fact.id, fact.statement};
  const PhoneAnswer* answer = report.find(fact.question);
  if (answer == nullptr || !can_be_read(*answer)) {
    finding.saw = answer == nullptr ? "not asked" : ended_name(answer->ended);
    return finding;
  }
  const std::string words = words_of(report, *answer);
  if (has_any(words, fact.readable)) {
    const bool wanted = fact.word == Word::has;
    finding.verdict = has_any(words, fact.text) == wanted ? Verdict::holds : Verdict::differs;
  }
  if (finding.verdict != Verdict::holds) finding.saw = seen(words);
  return finding;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

std::vector<Finding> judge_facts(const PhoneReport& report) {
  const auto sdk = sdk_of(report);
  std::vector<Finding> findings;
  for (const Fact& fact : kFacts) {
    const bool is_new = findings.empty() || findings.back().id != fact.id;
    if (is_new) findings.push_back({fact.id, fact.statement, Verdict::other_release});
    if (!sdk) {
      findings.back().verdict = Verdict::open;
      findings.back().saw = "no API level";
    } else if (*sdk >= fact.first && *sdk <= fact.last) {
      findings.back() = judge(report, fact);
    }
  }
  return findings;
}

bool is_as_described(const std::vector<Finding>& findings) {
  return std::ranges::find(findings, Verdict::differs, &Finding::verdict) == findings.end();
}

std::string conformance_json(const PhoneReport& report) {
  const auto findings = judge_facts(report);
  nlohmann::ordered_json json, counts;
  json["ok"] = is_as_described(findings);
  json["phone"] = {{"sdk", nullptr}, {"maker", reading_of(report, "maker")}};
  if (const auto sdk = sdk_of(report)) json["phone"]["sdk"] = *sdk;
  auto& facts = json["facts"] = nlohmann::ordered_json::array();
  for (const std::string_view name : kVerdicts) counts[name] = 0;
  for (const Finding& finding : findings) {
    const std::string_view verdict = verdict_name(finding.verdict);
    auto& fact = facts.emplace_back();
    fact = {{"id", finding.id}, {"statement", finding.statement}, {"verdict", verdict}};
    if (!finding.saw.empty()) fact["saw"] = finding.saw;
    counts[verdict] = counts[verdict].get<int>() + 1;
  }
  json["counts"] = std::move(counts);
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace clawperator
