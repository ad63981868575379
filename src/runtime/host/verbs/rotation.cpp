#include "runtime/host/verbs/rotation.hpp"

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/displays.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

constexpr int kRotationLooks = 8;
constexpr auto kRotationPause = std::chrono::milliseconds(250);

SettingKey of_system(const char* name) { return {"system", name}; }

struct RotationState {
  int quarter_turns = 0;  // of the display
  bool as_held = false;
  std::optional<int> locked_to{};
};

Task<RotationState> look(AndroidServices* services) {
  const auto [display, held, locked] =
      co_await (run_on_device(services->device(), displays_line()) &&
                read_setting(services, of_system(kAutoRotation)) &&
                read_setting(services, of_system(kUserRotation)));
  CO_TRY_VOID(display);
  CO_TRY_VOID(held);
  CO_TRY_VOID(locked);
  const auto turns = main_rotation(display->out);
  if (!turns) {
    co_return fail(errc::device_shell_unavailable,
                   "the device does not tell its display's rotation");
  }
  co_return RotationState{*turns, trimmed(held->out) == "1",
                          whole_number<int>(trimmed(locked->out))};
}

bool is_reached(const RotationState& state, std::optional<int> wanted) {
  return wanted ? !state.as_held && state.quarter_turns == *wanted : state.as_held;
}

// Puts one of the settings that the window manager keeps.
Task<void> order_setting(AndroidServices* services, const char* name, int value) {
  const SettingKey key = of_system(name);
  const auto done = co_await services->order(
      AndroidService::settings, put_setting_words(services->user(), key, std::to_string(value)));
  if (!done) co_return std::unexpected(unknown_end(done.error()));
  if (done->exit_status == 0) co_return ok();
  co_return std::unexpected(
      co_await with_vendor_hint(services->device(), said_no("Could not set " + key.name, *done)));
}

Task<void> send_rotation(AndroidServices* services, int sdk, std::optional<int> wanted) {
  if (sdk < kRotatesByCommand) {
    if (!wanted) co_return co_await order_setting(services, kAutoRotation, 1);
    CO_TRY_VOID(co_await order_setting(services, kUserRotation, *wanted));
    const auto done = co_await order_setting(services, kAutoRotation, 0);
    if (!done) co_return std::unexpected(unknown_end(done.error()));
    co_return ok();
  }
  CO_TRY(const CommandOutput done,
         co_await order_on_device(services->device(), rotation_line(sdk, wanted)));
  if (done.exit_status == 0 && trimmed(done.err).empty()) co_return ok();
  co_return std::unexpected(
      co_await with_vendor_hint(services->device(), said_no("the screen was not rotated", done)));
}

std::string degrees(int quarter_turns) { return std::to_string(quarter_turns * 90); }

std::unexpected<Error> not_rotated(const std::string& device_id, const RotationState& state,
                                   std::optional<int> wanted) {
  ErrorMembers found;
  found.number("rotation", state.quarter_turns * 90).boolean("auto", state.as_held);
  if (state.locked_to) found.number("lockedTo", *state.locked_to * 90);
  if (!wanted)
    return not_confirmed("The screen does not turn as the phone is held.", device_id, found);
  const bool is_kept = state.locked_to == wanted && !state.as_held;
  return not_confirmed("The display is at " + degrees(state.quarter_turns) + " degrees, not at " +
                           degrees(*wanted) + ": " +
                           (is_kept ? "the app in front keeps its own way up. Others will turn."
                                    : "the device did not keep the setting."),
                       device_id, found);
}

}  // namespace

Task<Rotation> rotate(adbproto::Device* device, std::optional<int> quarter_turns) {
  AndroidServices services(device);
  const auto [sdk, user] = co_await (ask_sdk(device) && services.find_user());
  CO_TRY_VOID(sdk);
  CO_TRY_VOID(user);
  auto state = co_await look(&services);
  if (!state) co_return std::unexpected(state.error());
  if (is_reached(*state, quarter_turns)) {
    co_return Rotation{Effect::unchanged, state->quarter_turns};
  }
  CO_TRY_VOID(co_await send_rotation(&services, *sdk, quarter_turns));
  for (int looks = 0; looks < kRotationLooks; ++looks) {
    if (looks > 0) co_await sleep_for(kRotationPause);
    state = co_await look(&services);
    if (!state) co_return std::unexpected(unknown_end(state.error()));
    if (is_reached(*state, quarter_turns)) {
      co_return Rotation{Effect::changed, state->quarter_turns};
    }
  }
  co_return not_rotated(device->serial(), *state, quarter_turns);
}

}  // namespace clawperator
