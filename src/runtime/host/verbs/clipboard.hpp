#pragma once
// The phone's clipboard, where its maker gave the service shell commands. Android itself has none:
// `cmd clipboard` says so and ends well, so that only what is read back counts.

#include <string>
#include <string_view>

#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

inline constexpr std::size_t kMostClipboardText = 65'536;

// unsupported where the service has no shell commands, with what it said.
Task<std::string> read_clipboard(adbproto::Device* device);
// Sent only where it could be read before; effect_not_confirmed where it then reads otherwise.
Task<Effect> write_clipboard(adbproto::Device* device, std::string text);

}  // namespace clawperator
