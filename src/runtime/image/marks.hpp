#pragma once
// Set-of-marks: numbered boxes drawn over a picture, so that a model that sees the screen can name
// a node by its ref.
//
// Every box has an outline and a tag with its number, both with a light and a dark edge, so they
// stand out on any background. The size of the digits follows the picture. A tag lies where it
// hides least: no other tag, not the middle of a small control, and few letters.

#include "runtime/image/frame.hpp"

namespace clawperator {

// A screen has hundreds of nodes; each tag is compared with those before.
inline constexpr std::size_t kMaxMarks = 4096;

// `bounds` in device pixels, right and bottom exclusive.
struct Mark {
  int ref = 0;
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  bool operator==(const Mark&) const = default;
};

// How many device pixels one picture pixel stands for, as a fraction.
struct DeviceScale {
  std::uint32_t device = 1;
  std::uint32_t picture = 1;
};

// Parts outside the picture and empty boxes are left out.
void draw_marks(Picture& picture, const std::vector<Mark>& marks, DeviceScale scale = {});

}  // namespace clawperator
