#pragma once
// Shared by the verbs that act on a phone by its own shell, without the Operator app: their answers
// and errors.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "base/error_members.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

// The state that was read back after a verb: another one, the one before, or none.
enum class ReadBack : std::uint8_t { changed, unchanged, unknown };

// {"ok":true,"deviceId":...,"backend":"shell"}, for the verb to go on with.
JsonObject verb_answer(const std::string& device_id);
JsonObject verb_answer(const std::string& device_id, ReadBack effect);

// The release of Android as a number; device_shell_unavailable where the device does not report it.
Task<int> read_sdk(adbproto::Device* device);

// The parsed answer; device_shell_unavailable where it could not be parsed.
template <class T>
Result<T> required(std::optional<T> read, const std::string& what, const CommandOutput& printed) {
  if (read) return *std::move(read);
  return fail(errc::device_shell_unavailable,
              "the device does not " + what + ": " + one_message(printed.text()));
}

// unsupported: what this release has no way for. Nothing was sent.
std::unexpected<Error> beyond_release(std::string why, int sdk);

// refused: the device's own text, without the lines of Android's stack trace.
Error refusal_error(std::string_view what, const CommandOutput& output);

// effect_not_confirmed. `found` becomes the details, with the device's name.
std::unexpected<Error> not_confirmed(std::string why, const std::string& device_id,
                                     ErrorMembers found);

// The error of an order whose end is unknown: it may have been carried out. Also where the query
// for its result failed.
Error unknown_end(const Error& error);
template <class T>
Result<T> or_unknown_end(Result<T> result) {
  if (!result) return std::unexpected(unknown_end(result.error()));
  return result;
}

// Sends an order that changes the device: unknown_end where it fails, or where the command is
// cancelled before it ends.
Task<CommandOutput> order_on_device(adbproto::Device* device, std::string line,
                                    std::chrono::milliseconds limit = kChoreLimit);

// device_not_interactive (details: deviceId, awake, locked) where the device reports that its
// screen is off or locked. A device that reports neither passes.
Result<void> judge_interactive(const std::string& serial, const ScreenState& state);

// Whether a script may begin, and the Operator package that it is given: `wanted`, else the one
// that is installed there. Errors of resolving; those of judge_interactive; operator_ambiguous.
Task<std::string> ready_for_script(TargetOptions target, NamedOperator wanted,
                                   ResolveDevice resolve = resolve_device);

}  // namespace clawperator
