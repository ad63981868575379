#include "runtime/android/phone_questions_table.hpp"

#include "adbproto/wire/services.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/android/system_commands.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

// A reader that follows the log ends with its deadline; its answer is the output until then.
constexpr milliseconds kFollowed{1500};

std::string shell(std::string_view line) { return adbproto::shell_v2_raw(line); }

std::string since_now(std::string_view logcat) {
  return "E=$EPOCHREALTIME; [ \"$E\" ] || E=$(date +%s).0; log -p d -t ClawperatorProbe report; " +
         std::string(logcat);
}

void add_versions(std::vector<PhoneQuestion>& questions) {
  questions.push_back(
      {"versions", "Android's version and who made the phone",
       shell("for P in build.version.sdk build.version.release build.version.security_patch "
             "build.type product.manufacturer product.model; do echo \"$P=$(getprop ro.$P)\"; "
             "done")});
  questions.push_back({"maker", "the maker, as hints are chosen by it", shell(maker_line())});
  questions.push_back({"serialno", "whether the serial number can be read, without the number",
                       shell("[ \"$(getprop ro.serialno)\" ] && echo readable || echo empty")});
  questions.push_back({"boot_id", "whether the boot's id can be read",
                       shell("cat /proc/sys/kernel/random/boot_id"), Kept::shape});
}

void add_shell(std::vector<PhoneQuestion>& questions) {
  questions.push_back({"shell.version", "which shell it has",
                       shell("echo \"$KSH_VERSION\"; echo \"$EPOCHREALTIME\" | wc -c")});
  // The only line with such a pattern, which the linter allows here: the answer shows its meaning.
  questions.push_back({"shell.patterns", "what a bar means in the shell's patterns",
                       shell("X='a|b'; echo \"[${X%%|*}]\"; echo \"[${X%%\\|*}]\"")});
  questions.push_back(
      {"shell.date", "how exact its clock is told", shell("date +%s.%N"), Kept::shape});
  questions.push_back({"shell.tools", "which toybox it has", shell("toybox --version")});
}

void add_log(std::vector<PhoneQuestion>& questions) {
  questions.push_back(
      {"log.from_epoch", "whether the log is read from seconds.fraction",
       shell("E=$EPOCHREALTIME; [ \"$E\" ] || E=$(date +%s).0; logcat -b main -d -T "
             "\"$E\""),
       Kept::shape});
  questions.push_back({"log.from_date", "whether the log is read from a date",
                       shell("logcat -b main -d -T \"$(date '+%m-%d %H:%M:%S').000\""),
                       Kept::shape});
  questions.push_back({"log.from_count", "whether the log is read from its last line",
                       shell("logcat -b main -d -T 1"), Kept::shape});
  questions.push_back({"log.binary", "how soon binary entries come",
                       shell(since_now("exec logcat -B -b main -T \"$E\"")), Kept::shape,
                       kFollowed});
  questions.push_back({"log.text", "how soon entries come as text",
                       shell(since_now("exec logcat -v threadtime -v epoch -v usec -b main -T "
                                       "\"$E\"")),
                       Kept::shape, kFollowed});
  questions.push_back({"log.level", "whether the log keeps debug messages", shell(log_probe_line()),
                       Kept::text, milliseconds(6000)});
}

void add_packages(std::vector<PhoneQuestion>& questions, const std::string& package) {
  const std::string list = "cmd package list packages ";
  questions.push_back({"user", "the number of the user in front", shell("am get-current-user")});
  questions.push_back(
      {"users", "how many users it has, without their names", shell("pm list users")});
  questions.push_back({"abb.status", "the exit status of a direct command",
                       adbproto::abb(std::vector<std::string>{"package", "list", "packages",
                                                              "--user", "0", package})});
  questions.push_back({"packages.any_user", "whether the Operator app is found without a user",
                       shell(list + package)});
  questions.push_back(
      {"packages.user_0", "whether it is found for user 0", shell(list + "--user 0 " + package)});
  questions.push_back({"packages.user_current", "whether it is found for user `current`",
                       shell(list + "--user current " + package)});
}

void add_screen(std::vector<PhoneQuestion>& questions) {
  questions.push_back({"screen.size", "the size of its screen", shell(screen_size_line())});
  questions.push_back({"screen.density", "its density", shell(screen_density_line())});
  questions.push_back({"screen.displays", "its displays, without their names",
                       shell("dumpsys SurfaceFlinger --display-id")});
  questions.push_back({"screen.capture", "the first 16 bytes of a picture, not the picture",
                       shell("screencap"), Kept::header, milliseconds(6000)});
}

void add_services(std::vector<PhoneQuestion>& questions, const std::string& package) {
  questions.push_back({"services.accessibility",
                       "the list of accessibility services, without "
                       "other apps' names",
                       shell("settings get secure enabled_accessibility_services")});
  questions.push_back({"services.automation",
                       "whether UiAutomation is in use",
                       shell(accessibility_state_line()),
                       Kept::lines,
                       kPhoneAnswers,
                       {"ACCESSIBILITY MANAGER", "Ui Automation["}});
  questions.push_back({"services.listeners",
                       "who may listen to notifications, without other "
                       "apps' names",
                       shell(notification_state_line()),
                       Kept::lines,
                       milliseconds(6000),
                       {"All notification listeners", "Live notification listeners",
                        "ComponentInfo{com.clawperator", "ComponentInfo{com.androperator"}});
  questions.push_back({"services.restricted", "whether the Operator app is restricted",
                       shell("cmd appops get " + adbproto::quote_for_shell(package) +
                             " ACCESS_RESTRICTED_SETTINGS")});
  questions.push_back({"services.debugging", "which kind of debugging is on",
                       shell("settings get global adb_enabled; settings get global "
                             "adb_wifi_enabled; settings get global "
                             "development_settings_enabled")});
}

// A program of Java starts in about a second.
constexpr milliseconds kJava{6000};

// What services can do by their own help, which is long. Its exit status is 255 on every release.
void add_help(std::vector<PhoneQuestion>& questions) {
  struct Help {
    std::string_view id, about, line, word;
  };
  static constexpr Help kHelp[] = {
      {"help.activity", "whether `cmd activity` sends broadcasts", "cmd activity help",
       "broadcast"},
      {"help.notification", "whether `cmd notification` allows listeners", "cmd notification help",
       "allow_listener"},
      {"help.window", "how `cmd window` turns the screen", "cmd window help", "user-rotation"},
      {"help.wifi", "whether `cmd wifi` switches Wi-Fi", "cmd wifi help", "set-wifi-enabled"},
      {"help.connectivity", "whether `cmd connectivity` has airplane mode", "cmd connectivity help",
       "airplane-mode"},
      {"help.statusbar", "whether `cmd statusbar` opens the shade", "cmd statusbar help",
       "expand-notifications"},
  };
  for (const Help& help : kHelp) {
    questions.push_back({help.id,
                         help.about,
                         shell(help.line),
                         Kept::lines,
                         kPhoneAnswers,
                         {"ommands:", "SUBCMD", "Unknown command", help.word}});
  }
  questions.push_back({"video.help",
                       "how long `screenrecord` records",
                       shell("screenrecord --help 2>&1"),
                       Kept::lines,
                       kPhoneAnswers,
                       {"recording time", "not found"}});
}

// Words that `input` refuses, and none.
void add_input(std::vector<PhoneQuestion>& questions) {
  questions.push_back({"input.service",
                       "whether `input` is a service",
                       shell("cmd input"),
                       Kept::lines,
                       kPhoneAnswers,
                       {"Usage: input", "No shell command"}});
  questions.push_back({"input.usage",
                       "whether `input` can drag",
                       shell("input 2>&1"),
                       Kept::lines,
                       kJava,
                       {"Usage: input", "draganddrop"}});
  questions.push_back({"input.refusal", "how `input` ends that refuses its words",
                       shell("input clawperator-no-such-word"), Kept::text, kJava});
}

// Only the words that are looked for leave the phone: no title of a window, no text of a
// notification.
void add_dumps(std::vector<PhoneQuestion>& questions) {
  questions.push_back(
      {"screen.state", "whether the screen is on and locked",
       shell("dumpsys power | grep -oE 'POWER MANAGER|mWakefulness=[A-Za-z]+'; dumpsys window "
             "policy | grep -oE 'POLICY STATE|mIsShowing=[a-z]+' || true")});
  questions.push_back({"window.displays",
                       "which lines about the focus, the size and the keyboard it has",
                       shell("dumpsys window displays | grep -oE 'DISPLAY CONTENTS|mCurrentFocus=|"
                             "mFocusedApp=[A-Za-z]+| cur=[0-9]+x[0-9]+|InsetsSource (id=[0-9a-f]+ "
                             ")?type=(ITYPE_IME|ime)' || true")});
  questions.push_back({"window.windows", "which lines about the focus are there on old releases",
                       shell("dumpsys window windows | grep -oE 'MANAGER WINDOWS|mCurrentFocus=|"
                             "mFocusedApp=[A-Za-z]+' || true")});
  questions.push_back({"window.last_anr", "whether there is a section for the last ANR",
                       shell("dumpsys window lastanr | grep -oE 'LAST ANR|Bad window command' || "
                             "true")});
  questions.push_back({"keyboard.shown", "whether it reports a keyboard",
                       shell("dumpsys input_method | grep -oE 'Input Method Manager|"
                             "mInputShown=|mIsInputViewShown=' || true")});
  questions.push_back(
      {"notifications.titles", "whether notifications are listed without their texts",
       shell("dumpsys notification | grep -oE 'Notification List:|android.title=[A-Za-z]+ [[(]' "
             "| sort -u || true"),
       Kept::text, kJava});
}

void add_programs(std::vector<PhoneQuestion>& questions, const std::string& package) {
  questions.push_back(
      {"packages.versions", "whether a list of apps has their versions",
       shell(service_line(Rung::cmd, AndroidService::package, list_versions_words(0, package)))});
  questions.push_back({"log.sizes", "which buffers the log has, and their sizes",
                       shell("logcat -g -b events -b crash")});
  constexpr int kNewest = 36;
  constexpr int kOldest = 24;
  questions.push_back({"processes.columns", "whether `ps` prints the columns that it is given",
                       shell(processes_line(kNewest) + " | head -n 1")});
  questions.push_back({"processes.headings", "the headings of `ps`",
                       shell(processes_line(kOldest) + " | head -n 1")});
  // Nothing is started: the name of an app has a dot.
  questions.push_back(
      {"start.missing", "how `am start` ends without the app",
       shell(service_line(Rung::am, AndroidService::activity, launch_words("none/none")) +
             " 2>/dev/null"),
       Kept::text, kJava});
  questions.push_back({"start.launcher", "whether the launcher's activity of Settings is named",
                       shell(service_line(Rung::cmd, AndroidService::package,
                                          launcher_activity_words("com.android.settings")))});
}

void add_settings(std::vector<PhoneQuestion>& questions) {
  questions.push_back({"settings.round_trip",
                       "whether a setting can be written: one of our own, "
                       "which is deleted again",
                       shell("settings put secure clawperator_report 1; settings get secure "
                             "clawperator_report; settings delete secure clawperator_report"),
                       Kept::text, milliseconds(8000)});
}

}  // namespace

std::vector<PhoneQuestion> phone_questions(const std::string& operator_package, Consent consent) {
  std::vector<PhoneQuestion> questions;
  add_versions(questions);
  add_shell(questions);
  add_log(questions);
  add_packages(questions, operator_package);
  add_screen(questions);
  add_services(questions, operator_package);
  add_help(questions);
  add_input(questions);
  add_dumps(questions);
  add_programs(questions, operator_package);
  if (consent == Consent::settings) add_settings(questions);
  return questions;
}

}  // namespace clawperator
