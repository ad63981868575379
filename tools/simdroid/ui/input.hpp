#pragma once
// The types of input to a screen.

#include <cstdint>
#include <optional>
#include <string_view>

namespace simdroid {

enum class Key : std::uint8_t {
  back,
  home,
  recents,
  enter,
  power,
  wakeup,
  sleep,
  menu,
  del,
  tab,
  space,
  dpad_up,
  dpad_down,
  dpad_left,
  dpad_right,
  dpad_centre,
  volume_up,
  volume_down,
  escape,
  other,
};
enum class Click : std::uint8_t { click, long_click, focus };
enum class Direction : std::uint8_t { down, up, left, right };  // of the content revealed
enum class Scrolled : std::uint8_t { moved, edge_reached, not_scrollable };

std::optional<Key> key_from_name(std::string_view name);  // KEYCODE_BACK, BACK, or 4

}  // namespace simdroid
