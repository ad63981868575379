#pragma once
// Pixels of the simulated screen. Rectangles are half open: right and bottom are outside.

#include <algorithm>

namespace simdroid {

struct Point {
  int x = 0;
  int y = 0;

  bool operator==(const Point&) const = default;
};

struct Rect {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  [[nodiscard]] int width() const { return right - left; }
  [[nodiscard]] int height() const { return bottom - top; }
  [[nodiscard]] bool empty() const { return right <= left || bottom <= top; }
  [[nodiscard]] Point centre() const { return {(left + right) / 2, (top + bottom) / 2}; }
  [[nodiscard]] bool contains(Point p) const {
    return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
  }
  [[nodiscard]] Rect clipped(const Rect& to) const {
    return {std::max(left, to.left), std::max(top, to.top), std::min(right, to.right),
            std::min(bottom, to.bottom)};
  }

  bool operator==(const Rect&) const = default;
};

inline constexpr int kScreenWidth = 1080;
inline constexpr int kScreenHeight = 2400;
inline constexpr int kScreenDensity = 420;

}  // namespace simdroid
