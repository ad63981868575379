#pragma once
// The size of the screen itself. Windows may be smaller, so a tree does not contain it.
//
//   Physical size: 1080x2400
//   Override size: 720x1600       set by a person; it then counts

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// What `wm size` prints; nullopt for anything else.
std::optional<ScreenSize> parse_wm_size(std::string_view text);

// The present state of the main display.
struct ScreenNow {
  std::optional<ScreenSize> size{};  // in its present rotation
  Bounds keyboard{};  // the area that it covers; empty: none is shown, or its place is unknown

  bool operator==(const ScreenNow&) const = default;
};

//   Display: mDisplayId=0
//     init=1080x2400 420dpi cur=2400x1080 app=...
//         InsetsSource id=3 type=ime frame=[0,1517][1080,2400] visible=true     ITYPE_IME until 13
//
// Whatever else stands there, and other displays, are passed over.
ScreenNow parse_screen_now(std::string_view text);
asio::awaitable<ScreenNow> ask_screen_now(adbproto::Device* device);

// As the device is held upright. nullopt when the device does not report it: no caller depends on
// it.
asio::awaitable<std::optional<ScreenSize>> ask_screen_size(adbproto::Device* device);

}  // namespace clawperator
