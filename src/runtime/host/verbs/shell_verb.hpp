#pragma once
// What the verbs have in common that act on a phone by its own shell, without the Operator app: how
// they report, and how they refuse.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/host/device_shell.hpp"

namespace clawperator {

// What was read back after a verb: another state, the one that was there before, or nothing that
// tells.
enum class Effect : std::uint8_t { changed, unchanged, unknown };

// {"ok":true,"deviceId":...,"backend":"shell"}, for the verb to go on with.
JsonObject verb_answer(const std::string& device_id);
JsonObject verb_answer(const std::string& device_id, Effect effect);

// The release of Android as a number; device_shell_unavailable where the device does not tell it.
Task<int> ask_sdk(adbproto::Device* device);

// unsupported: what this release has no way for. Nothing was sent.
std::unexpected<Error> beyond_release(std::string why, int sdk);

// refused: the device's own words, without the lines that say where in Android's code it happened.
Error said_no(std::string_view what, const CommandOutput& output);

// effect_not_confirmed. `found` becomes the details, with the device's name.
std::unexpected<Error> not_confirmed(std::string why, const std::string& device_id,
                                     ErrorMembers found);

// An order whose end is not known: it may have been carried out. Also where the question failed
// that was to tell it.
Error unknown_end(const Error& error);

// Has the device carry out what changes it: unknown_end where that fails, and where the command is
// cut short meanwhile.
Task<CommandOutput> order_on_device(adbproto::Device* device, std::string line,
                                    std::chrono::milliseconds limit = kChoreLimit);

}  // namespace clawperator
