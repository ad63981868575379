#include "runtime/host/operator/launch.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

namespace {

constexpr auto kLaunchLimit = std::chrono::seconds(20);

// The exit status tells nothing: abb's is always 1, and `am start` of some versions ends with 0
// whatever happens.
bool tells_start(const CommandOutput& output) {
  const std::string text = output.out + output.err;
  return output.out.contains("Starting:") && !text.contains("Error") && !text.contains("Exception");
}

}  // namespace

Task<void> launch_operator(adbproto::Device* device, std::string operator_package) {
  AndroidServices services(device);
  CO_TRY(const int user, co_await services.find_user());
  CommandChannel channel(device);
  const auto output = co_await channel.run(
      AndroidService::activity,
      start_activity_words(user, operator_package + "/clawperator.activity.MainActivity"),
      kLaunchLimit);
  if (!output && ends_everything(output.error())) co_return std::unexpected(output.error());
  if (output && tells_start(*output)) co_return ok();
  co_return fail(errc::android_app_launch_failed,
                 output ? output->text() : output.error().message());
}

}  // namespace clawperator
