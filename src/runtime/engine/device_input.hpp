#pragma once
// Fingers and keys by the device's own `input`, without the Operator app. They take turns with the
// executions on that device. Nothing is repeated once it may have begun.

#include "adbproto/client/device.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/engine/verify.hpp"

namespace clawperator {

class CommandChannel;
struct DeviceMemory;
struct Identity;

struct DeviceInput {
  std::string command_id{};           // the lock's holder that others see who find the device busy
  std::vector<Words> calls{};         // of AndroidService::input, one after the other
  std::chrono::milliseconds limit{};  // of each
  // For the device's sh, in place of calls: steps between which there is no time for a round trip.
  std::string line{};
  int line_since = 0;  // the lowest API level on which the line works
  // In place of both, for what has a way of its own. `command_id`: that of this input; more inputs
  // of the same id belong to it.
  std::function<Task<void>(adbproto::Device*, std::string command_id)> verb{};
  std::optional<Verify> verify{};
  std::vector<InputPoint> points{};  // where fingers go
  // As the caller wrote it, for events: tap, swipe, key or text, and a JSON object. It contains
  // only the length of a text.
  std::string_view kind{};
  std::string description{};
};

// The serial number of the device that has taken it.
struct InputDone {
  std::string device{};
  PictureProof proof{};
};

// off_screen: a point lies outside of the screen in its present rotation; nothing was sent. The
// output of `input` decides whether it worked, for its exit status means nothing on many releases:
// no output is success.
// The errors of a verb are its own.
// execution_conflict_in_flight, device_shell_unavailable: nothing was sent. unsupported: the
// release is older than the line; nothing was sent, either. input_failed: the device refused;
// `details.callsDone` of `details.calls` were carried out before. For a line the progress is
// unknown: `details.executionPosition` is unknown. Every other error after the first byte left has
// `details.dispatchAttempted` and an unknown outcome.
// Returns what pictures prove where the input requests it.
Task<PictureProof> perform_input(adbproto::Device* device, DeviceInput input);

// The same for a caller that holds the device and its lock already.
Task<void> perform_calls(CommandChannel* channel, std::string device_id, std::vector<Words> calls,
                         std::chrono::milliseconds limit);

// The rungs for commands that change the phone. `sdk`: as the device printed it; `memory`: what is
// remembered of it. abb only where it was proved in this boot: a command without an answer may have
// run.
Rungs acting_rungs(std::string_view sdk, const Identity& identity, const DeviceMemory& memory);

}  // namespace clawperator
