#pragma once
// The size of the screen itself: windows may be smaller, so the tree does not tell it.
//
//   Physical size: 1080x2400
//   Override size: 720x1600       somebody's wish, which then holds

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// What `wm size` prints; nullopt for anything else.
std::optional<ScreenSize> parse_wm_size(std::string_view text);

// As the device is held upright. nullopt when it does not tell: nobody's work depends on it.
asio::awaitable<std::optional<ScreenSize>> ask_screen_size(adbproto::Device* device);

}  // namespace clawperator
