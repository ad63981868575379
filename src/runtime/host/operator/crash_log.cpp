#include "runtime/host/operator/crash_log.hpp"

#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/compatibility.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kFile = "files/crash-log.txt";
// kMaxCrashLog passes at 140 KB a second, so a slow Wi-Fi is enough.
constexpr std::chrono::milliseconds kCrashLogLimit{30'000};
constexpr std::size_t kMaxReason = 1000;  // a line of `run-as` or `tail`, as an error's text

std::unexpected<Error> unavailable(const std::string& package, const std::string& reason,
                                   std::string why, const std::string& hint) {
  ErrorMembers members;
  if (!hint.empty()) members.text("hint", hint);
  members.object("details", ErrorMembers().text("operatorPackage", package).text("reason", reason));
  return fail(errc::crash_log_unavailable, std::move(why), members.str());
}

}  // namespace

Result<CrashLog> judge_crash_log(const CommandOutput& output, const std::string& operator_package) {
  if (output.exit_status == 0) {
    CrashLog log{.text = output.out};
    if (log.text.size() <= kMaxCrashLog) return log;
    // The query reads one byte more than the bound; it came, so there is more. Begin with a whole
    // line.
    log.text.erase(0, log.text.size() - kMaxCrashLog);
    log.text.erase(0, log.text.find('\n') + 1);
    log.truncated = true;
    return log;
  }
  const std::string text = output.text();
  const std::string reason(first_line(text, kMaxReason));
  if (reason.contains("not debuggable")) {
    return unavailable(operator_package, reason,
                       "The crash log of " + operator_package +
                           " can be read on a debuggable build only: Android keeps it private.",
                       "Install a debug build (" + alternate_variant(operator_package) +
                           ") and name it with --operator-package.");
  }
  if (reason.contains("unknown package") || reason.contains("is unknown")) {
    return fail_with(errc::operator_not_installed,
                     "Package " + operator_package + " is not installed on the device.",
                     ErrorMembers().text("operatorPackage", operator_package));
  }
  const bool absent = reason.contains("No such file") && reason.contains(kFile);
  if (absent) return CrashLog{};
  return unavailable(operator_package, reason,
                     "The crash log of " + operator_package + " cannot be read: " +
                         (reason.empty() ? "the device gave no reason" : reason),
                     "");
}

Task<CrashLog> read_crash_log(adbproto::Device* device, NamedOperator wanted) {
  CO_TRY(const std::string operator_package,
         co_await find_installed_operator(device, std::move(wanted)));
  const std::string command = private_tail_line(operator_package, kMaxCrashLog + 1, kFile);
  CO_TRY(const CommandOutput output, co_await run_on_device(device, command, kCrashLogLimit));
  CO_TRY(CrashLog log, judge_crash_log(output, operator_package));
  log.operator_package = operator_package;
  co_return log;
}

}  // namespace clawperator
