#include "runtime/host/verbs/shell_verb.hpp"

#include "base/error_members.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/contract/operator_app.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/errc.hpp"
#include "runtime/host/operator/compatibility.hpp"

namespace clawperator {

namespace {

// `getprop` takes milliseconds; a hung shell is noticed before anything changes.
constexpr auto kSdkLimit = std::chrono::milliseconds(3000);
constexpr std::array<std::string_view, 3> kEffects = {"changed", "unchanged", "unknown"};

}  // namespace

JsonObject verb_answer(const std::string& device_id) {
  JsonObject json;
  json.boolean("ok", true).text("deviceId", device_id).text("backend", "shell");
  return json;
}

JsonObject verb_answer(const std::string& device_id, ReadBack effect) {
  JsonObject json = verb_answer(device_id);
  json.text("effect", kEffects.at(static_cast<std::size_t>(effect)));
  return json;
}

Task<int> read_sdk(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, sdk_line(), kSdkLimit));
  auto sdk = whole_number<int>(trimmed(printed.out));
  if (sdk && *sdk <= 0) sdk.reset();
  co_return required(sdk, "report its Android release", printed);
}

std::unexpected<Error> beyond_release(std::string why, int sdk) {
  return fail_with(errc::unsupported, std::move(why), ErrorMembers().number("sdk", sdk));
}

Error refusal_error(std::string_view what, const CommandOutput& output) {
  const std::string text = one_message(output.text());
  const std::string_view message = trimmed(without_stack(text));
  const std::string why = message.empty()
                              ? "it ended with status " + std::to_string(output.exit_status)
                              : std::string(message);
  ErrorMembers details;
  details.number("adbExitCode", output.exit_status).text("stdout", output.out);
  details.text("stderr", output.err);
  return with_details({errc::refused, std::string(what) + ": " + why}, details);
}

std::unexpected<Error> not_confirmed(std::string why, const std::string& device_id,
                                     ErrorMembers found) {
  return std::unexpected(with_details({errc::effect_not_confirmed, std::move(why)},
                                      found.text("deviceId", device_id)));
}

Error unknown_end(const Error& error) {
  if (error.members().contains("\"dispatchAttempted\":true")) return error;
  return with_details(
      error,
      ErrorMembers().boolean("dispatchAttempted", true).text("executionPosition", "unknown"));
}

Task<CommandOutput> order_on_device(adbproto::Device* device, std::string line,
                                    std::chrono::milliseconds limit) {
  note_order(co_await asio::this_coro::executor);
  co_return or_unknown_end(co_await run_on_device(device, std::move(line), limit));
}

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
              hint_and_details(hint, details));
}

}  // namespace

Result<void> judge_interactive(const std::string& serial, const ScreenState& state) {
  if (state.awake == false || state.locked == true) return not_interactive(serial, state);
  return ok();
}

Task<std::string> ready_for_script(TargetOptions target, NamedOperator wanted,
                                   ResolveDevice resolve) {
  using namespace base::parallel;
  CO_TRY(const auto device, co_await resolve(std::move(target)));
  auto [state, package] = co_await (run_on_device(device.get(), screen_state_line()) &&
                                    find_installed_operator(device.get(), std::move(wanted)));
  if (!state) co_return std::unexpected(std::move(state).error());
  CO_TRY_VOID(judge_interactive(device->serial(), parse_screen_state(state->out)));
  co_return package;
}

}  // namespace clawperator
