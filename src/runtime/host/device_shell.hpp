#pragma once
// Commands of the device's shell, as the host's chores need them: run once, to the end, within a
// deadline, with an exit status on every device.

#include <chrono>
#include <string>

#include "adbproto/client/device.hpp"
#include "runtime/engine/channel.hpp"

namespace clawperator {

inline constexpr std::chrono::milliseconds kChoreLimit{10000};

// `command` is the text for the device's sh; foreign words in it go through quote_for_shell. A
// device without shell_v2 is made to print the exit status behind the output, and its stderr is in
// `out`. Fails with device_shell_unavailable when no shell answers and with link_lost when the
// device is gone; a command that ran and failed is a result.
Task<CommandOutput> run_on_device(adbproto::Device* device, std::string command,
                                  std::chrono::milliseconds limit = kChoreLimit);

// What the lower layers say about a command of the device, in published codes: link_lost, cancelled
// and published ones stay, everything else is device_shell_unavailable.
Error published_shell_error(const Error& error);

}  // namespace clawperator
