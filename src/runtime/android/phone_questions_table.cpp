#include "runtime/android/phone_questions_table.hpp"

#include "adbproto/wire/services.hpp"
#include "runtime/android/chore_commands.hpp"

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
  questions.push_back(
      {"serialno", "whether the serial number can be read", shell("getprop ro.serialno")});
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
  if (consent == Consent::settings) add_settings(questions);
  return questions;
}

}  // namespace clawperator
