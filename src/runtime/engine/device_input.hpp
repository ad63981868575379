#pragma once
// Fingers and keys by the device's own `input`, without the Operator app. One at a time with the
// executions on that device; nothing is repeated once it may have begun.

#include "adbproto/client/device.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/engine/verify.hpp"

namespace clawperator {

class CommandChannel;
struct DeviceMemory;
struct Identity;

struct DeviceInput {
  std::string command_id{};           // the holder that others see who find the device busy
  std::vector<Words> calls{};         // of AndroidService::input, one after the other
  std::chrono::milliseconds limit{};  // of each
  // For the device's sh, instead of calls: what must not take a round trip each.
  std::string line{};
  int line_since = 0;  // the API level from which on the line does what it is for
  std::optional<Verify> verify{};
  std::vector<InputPoint> points{};  // where fingers go
  // As the caller wrote it, for events: tap, swipe, key or text, and a JSON object, which has only
  // the length of a text.
  std::string_view kind{};
  std::string description{};
};

// The device that has taken it, by its serial number.
struct InputDone {
  std::string device{};
  PictureProof proof{};
};

// off_screen: a point lies outside of the screen as it is turned now; nothing was sent.
// What `input` prints decides, for its exit status means nothing on many releases: it is silent
// where it worked. execution_conflict_in_flight, device_shell_unavailable: nothing was sent.
// unsupported: the release is older than the line; nothing was sent, either.
// input_failed: the device said no; `details.callsDone` of `details.calls` were carried out before.
// Of a line nobody knows how far it came: `details.executionPosition` is unknown.
// Everything else after the first byte left has `details.dispatchAttempted` and an unknown outcome.
// What pictures tell of it where that is asked for.
Task<PictureProof> perform_input(adbproto::Device* device, DeviceInput input);

// The same for whoever has the device and its lock already.
Task<void> perform_calls(CommandChannel* channel, std::string device_id, std::vector<Words> calls,
                         std::chrono::milliseconds limit);

// By which rungs commands go that change the phone: `sdk` is what the device printed, `memory` what
// is known of it. abb only where it was proved in this boot: what it does not answer may have run.
Rungs acting_rungs(std::string_view sdk, const Identity& identity, const DeviceMemory& memory);

}  // namespace clawperator
