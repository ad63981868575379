#pragma once
// The words of press_key that are no keys: what a phone's own shell does by a verb of host/verbs.

#include "runtime/engine/device_input.hpp"

namespace clawperator::mcp {

// notifications, quick_settings, hide_keyboard, rotate_portrait, rotate_landscape, rotate_auto; in
// any case, also with blanks or hyphens. Empty for any other word.
std::function<Task<void>(adbproto::Device*, std::string command_id)> find_phone_word(
    std::string_view word);

}  // namespace clawperator::mcp
