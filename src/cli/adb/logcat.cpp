#include "cli/adb/device_service.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {

using adbproto::Task;

namespace {

// The double quotes around the quoted tags are adb's own.
std::string logcat_command(const std::vector<std::string>& words) {
  const std::string tags = environment_variable("ANDROID_LOG_TAGS").value_or("");
  std::string command = "export ANDROID_LOG_TAGS=\"" + quote_as_adb(tags) + "\"; exec logcat";
  for (const std::string& word : words) command += " " + quote_as_adb(word);
  return command;
}

Task<int> run_logcat(AdbContext* context, std::vector<std::string> words) {
  CO_TRY(const auto device, co_await wait_for_adb_device(context));
  co_return co_await run_device_command(device.get(), logcat_command(words));
}

}  // namespace

constinit const AdbCommand kAdbLogcat{"logcat", " logcat [-v FORMAT] [-d] [-b BUFFER] [FILTER...]",
                                      "show device log (logcat --help for more)", run_logcat};

}  // namespace clawperator::cli
