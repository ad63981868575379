#include "runtime/host/interactive.hpp"

#include "runtime/contract/advice.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/operator_package.hpp"
#include "runtime/host/device_shell.hpp"

namespace clawperator {
namespace {

std::unexpected<Error> not_interactive(const std::string& serial, const ScreenState& state) {
  const bool is_off = state.awake == false;
  ErrorMembers details;
  details.text("deviceId", serial);
  if (state.awake) details.boolean("awake", *state.awake);
  if (state.locked) details.boolean("locked", *state.locked);
  const std::string hint = is_off ? "Run: clawperator key WAKEUP" +
                                        target_flags(std::string(kReleaseOperatorPackage), serial)
                                  : std::string("Unlock the device by hand.");
  return fail(errc::device_not_interactive,
              "The screen of device " + serial + (is_off ? " is off." : " is locked."),
              ErrorMembers().text("hint", hint).object("details", details).str());
}

}  // namespace

Result<void> judge_interactive(const std::string& serial, const ScreenState& state) {
  if (state.awake == false || state.locked == true) return not_interactive(serial, state);
  return ok();
}

Task<void> check_interactive(TargetOptions target, ResolveDevice resolve) {
  CO_TRY(const auto device, co_await resolve(std::move(target)));
  CO_TRY(const CommandOutput output, co_await run_on_device(device.get(), screen_state_line()));
  co_return judge_interactive(device->serial(), parse_screen_state(output.out));
}

}  // namespace clawperator
