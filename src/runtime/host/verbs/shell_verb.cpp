#include "runtime/host/verbs/shell_verb.hpp"
#include "runtime/engine/order_note.hpp"

#include <array>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {
namespace {

constexpr auto kSdkLimit = std::chrono::milliseconds(3000);
constexpr std::array<std::string_view, 3> kEffects = {"changed", "unchanged", "unknown"};

}  // namespace

JsonObject verb_answer(const std::string& device_id) {
  JsonObject json;
  json.boolean("ok", true).text("deviceId", device_id).text("backend", "shell");
  return json;
}

JsonObject verb_answer(const std::string& device_id, Effect effect) {
  JsonObject json = verb_answer(device_id);
  json.text("effect", kEffects.at(static_cast<std::size_t>(effect)));
  return json;
}

Task<int> ask_sdk(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, sdk_line(), kSdkLimit));
  const int sdk = whole_number<int>(trimmed(printed.out)).value_or(0);
  if (sdk > 0) co_return sdk;
  co_return fail(errc::device_shell_unavailable,
                 "the device does not tell its release of Android: " + one_message(printed.text()));
}

std::unexpected<Error> beyond_release(std::string why, int sdk) {
  return fail(errc::unsupported, std::move(why),
              ErrorMembers().object("details", ErrorMembers().number("sdk", sdk)).str());
}

Error said_no(std::string_view what, const CommandOutput& output) {
  const std::string text = one_message(output.text());
  const std::string_view said = trimmed(without_stack(text));
  const std::string why = said.empty()
                              ? "it ended with status " + std::to_string(output.exit_status)
                              : std::string(said);
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
  auto done = co_await run_on_device(device, std::move(line), limit);
  if (!done) co_return std::unexpected(unknown_end(done.error()));
  co_return done;
}

}  // namespace clawperator
