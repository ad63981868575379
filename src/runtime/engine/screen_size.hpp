#pragma once
// The size of the screen itself: windows may be smaller, so the tree does not tell it.
//
//   Physical size: 1080x2400
//   Override size: 720x1600       somebody's wish, which then holds

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// What `wm size` prints; nullopt for anything else.
std::optional<ScreenSize> parse_wm_size(std::string_view text);

// How the main display is now.
struct ScreenNow {
  std::optional<ScreenSize> size{};  // as it is turned
  Bounds keyboard{};                 // what it covers; empty: none is shown, or nobody says where

  bool operator==(const ScreenNow&) const = default;
};

//   Display: mDisplayId=0
//     init=1080x2400 420dpi cur=2400x1080 app=...
//         InsetsSource id=3 type=ime frame=[0,1517][1080,2400] visible=true     ITYPE_IME until 13
//
// Whatever else stands there, and other displays, are passed over.
ScreenNow parse_screen_now(std::string_view text);
asio::awaitable<ScreenNow> ask_screen_now(adbproto::Device* device);

// As the device is held upright. nullopt when it does not tell: nobody's work depends on it.
asio::awaitable<std::optional<ScreenSize>> ask_screen_size(adbproto::Device* device);

}  // namespace clawperator
