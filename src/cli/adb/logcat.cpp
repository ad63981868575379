#include "cli/adb/device_service.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {

namespace {

Task<int> run_logcat(AdbContext* context, std::vector<std::string> words) {
  CO_TRY(const auto device, co_await wait_for_adb_device(context));
  const std::string tags = environment_variable("ANDROID_LOG_TAGS").value_or("");
  co_return co_await run_device_command(device.get(), adb_logcat_line(tags, words));
}

}  // namespace

constinit const AdbCommand kAdbLolcat{"lolcat", "", "", run_logcat};
constinit const AdbCommand kAdbLongcat{"longcat", "", "",
                                       [](AdbContext* context, std::vector<std::string> words) {
                                         words.insert(words.begin(), {"-v", "long"});
                                         return run_logcat(context, std::move(words));
                                       }};
constinit const AdbCommand kAdbLogcat{"logcat", " logcat [-v FORMAT] [-d] [-b BUFFER] [FILTER...]",
                                      "show device log (logcat --help for more)", run_logcat};

}  // namespace clawperator::cli
