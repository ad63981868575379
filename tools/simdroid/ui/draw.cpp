#include "simdroid/ui/draw.hpp"

#include <algorithm>
#include <bit>

#include "simdroid/ui/font.hpp"
#include "simdroid/ui/keyboard.hpp"

namespace simdroid {
namespace {

constexpr std::uint32_t kBackground = 0xf8f9fdff, kInk = 0x1f1f1fff, kGrey = 0xc4c7cfff,
                        kAccent = 0x0b57d0ff, kField = 0xe9eef6ff, kWhite = 0xffffffff,
                        kDisabled = 0xa0a3a8ff;
constexpr int kStatusScale = 4;

// 0xRRGGBBAA as the four bytes R, G, B, A in memory.
std::uint32_t in_memory(std::uint32_t rgba) {
  return std::endian::native == std::endian::little ? std::byteswap(rgba) : rgba;
}

// `cover` of 255 parts ink, the rest paper; two bytes of a pixel at a time.
std::uint32_t mixed(std::uint32_t paper, std::uint32_t ink, std::uint32_t cover) {
  if (cover == 255) return ink;
  const std::uint32_t part = cover + (cover >> 7);  // of 256
  const auto pair = [&](std::uint32_t p, std::uint32_t i) {
    return ((p & 0xff00ff) * (256 - part) + (i & 0xff00ff) * part) >> 8 & 0xff00ff;
  };
  return pair(paper, ink) | pair(paper >> 8, ink >> 8) << 8;
}

class Canvas {
 public:
  explicit Canvas(Frame& frame) : frame_(frame), clip_{0, 0, frame.width, frame.height} {}

  void fill(const Rect& area, std::uint32_t colour) {
    const Rect box = area.clipped(clip_);
    if (box.empty()) return;
    const std::uint32_t pixel = in_memory(colour);
    for (int y = box.top; y < box.bottom; ++y) {
      const auto row = frame_.pixels.begin() + static_cast<std::ptrdiff_t>(y) * frame_.width;
      std::fill(row + box.left, row + box.right, pixel);
    }
  }

  void outline(const Rect& area, int thickness, std::uint32_t colour) {
    fill({area.left, area.top, area.right, area.top + thickness}, colour);
    fill({area.left, area.bottom - thickness, area.right, area.bottom}, colour);
    fill({area.left, area.top, area.left + thickness, area.bottom}, colour);
    fill({area.right - thickness, area.top, area.right, area.bottom}, colour);
  }

  void text(std::string_view line, Point at, int scale, std::uint32_t colour) {
    for_each_letter(line, at, scale, [&](const Letter& letter) {
      letter.coverage == nullptr ? outline(letter.place, scale, colour) : stamp(letter, colour);
    });
  }

  // Half as bright, for what lies under a dialog.
  void dim() {
    const std::uint32_t opaque = in_memory(0x000000ff);
    for (std::uint32_t& pixel : frame_.pixels) pixel = (pixel >> 1 & 0x7f7f7f7f) | opaque;
  }

  void clip_to(const Rect& area) { clip_ = area; }
  [[nodiscard]] const Rect& clip() const { return clip_; }
  [[nodiscard]] Rect whole() const { return {0, 0, frame_.width, frame_.height}; }

 private:
  // Draws over the pixels, as dense as the letter's picture at each pixel.
  void stamp(const Letter& letter, std::uint32_t colour) {
    const Rect box = letter.place.clipped(clip_);
    if (box.empty()) return;
    const std::uint32_t ink = in_memory(colour);
    // A step from one pixel to the next within the picture, in fractions of 2^16.
    const int step_x = (letter.width << 16) / letter.place.width();
    const int step_y = (letter.height << 16) / letter.place.height();
    for (int y = box.top; y < box.bottom; ++y) {
      const char* row = letter.coverage + letter.width * ((y - letter.place.top) * step_y >> 16);
      std::uint32_t* const pixels =
          &frame_.pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(frame_.width)];
      for (int x = box.left; x < box.right; ++x) {
        const auto cover = static_cast<unsigned char>(row[(x - letter.place.left) * step_x >> 16]);
        if (cover != 0) pixels[x] = mixed(pixels[x], ink, cover);
      }
    }
  }

  Frame& frame_;
  Rect clip_;
};

bool is_class(const NodeSpec& spec, std::string_view tail) {
  return std::string_view(spec.class_name).ends_with(tail);
}

void draw_switch(Canvas& canvas, const View& view) {
  const Rect& f = view.frame;
  const int knob = f.height() / 2, inset = (f.height() - knob) / 2;
  canvas.fill(f, view.checked ? kAccent : kGrey);
  const int left = view.checked ? f.right - inset - knob : f.left + inset;
  canvas.fill({left, f.top + inset, left + knob, f.top + inset + knob}, kWhite);
}

void draw_checkbox(Canvas& canvas, const View& view) {
  const int side = std::min(view.frame.height(), 48);
  const int left = view.frame.right - side, top = view.frame.top + (view.frame.height() - side) / 2;
  const Rect box{left, top, left + side, top + side};
  canvas.outline(box, 5, kInk);
  if (view.checked) canvas.fill({left + 12, top + 12, left + side - 12, top + side - 12}, kAccent);
}

void draw_body(Canvas& canvas, const View& view) {
  const NodeSpec& spec = *view.spec;
  if (spec.colour != 0) canvas.fill(view.frame, spec.colour);
  if (spec.editable) {
    if (spec.colour == 0) canvas.fill(view.frame, kField);
    canvas.fill({view.frame.left, view.frame.bottom - 4, view.frame.right, view.frame.bottom},
                view.focused ? kAccent : kInk);
  } else if (is_class(spec, ".Switch")) {
    draw_switch(canvas, view);
  } else if (spec.checkable) {
    draw_checkbox(canvas, view);
  } else if (is_class(spec, ".Button") && spec.colour == 0) {
    canvas.fill(view.frame, spec.enabled ? kAccent : kGrey);
  } else if (is_class(spec, "ImageView") || is_class(spec, "ImageButton")) {
    const int inset = is_class(spec, "ImageButton") ? view.frame.width() / 4 : 4;
    const Rect& f = view.frame;
    if (spec.colour == 0)
      canvas.fill({f.left + inset, f.top + inset, f.right - inset, f.bottom - inset}, kGrey);
  }
  if (view.focused) canvas.outline(view.frame, 4, kAccent);
}

void draw_text(Canvas& canvas, const View& view) {
  const NodeSpec& spec = *view.spec;
  const int scale = spec.text_scale;
  const int left = view.frame.left + spec.padding[0];
  const int room = view.frame.width() - spec.padding[0] - spec.padding[2];
  const bool button = is_class(spec, ".Button") && spec.colour == 0;
  const bool hint = spec.editable && view.text == spec.hint;
  const std::uint32_t ink = !spec.enabled || hint ? kDisabled : button ? kWhite : spec.text_colour;
  const std::string shown = spec.password && !hint ? std::string(view.text.size(), '*') : view.text;
  int y = view.frame.top + spec.padding[1];
  for (const std::string& line : break_lines(shown, std::max(room, 1), scale)) {
    if (y >= canvas.clip().bottom) break;
    const int slack = room - text_width(line, scale);
    const int shift = spec.align == Align::centre || button ? std::max(0, slack / 2) : 0;
    canvas.text(line, {left + shift, y}, scale, ink);
    y += kFontUnits * scale;
  }
}

void draw_view(Canvas& canvas, const View& view) {
  const Rect outer = canvas.clip();
  canvas.clip_to(view.bounds.clipped(outer));
  draw_body(canvas, view);
  if (view.spec->text_scale > 0 && !view.text.empty()) draw_text(canvas, view);
  for (const View& child : view.children) draw_view(canvas, child);
  canvas.clip_to(outer);
}

void draw_system_bars(Canvas& canvas, const UiWorld& world) {
  const int width = canvas.whole().width(), height = canvas.whole().height();
  canvas.text("9:30", {48, 40}, kStatusScale, kInk);
  canvas.fill({width - 120, 44, width - 60, 76}, kInk);
  canvas.fill({width - 60, 52, width - 52, 68}, kInk);
  if (world.keyboard_shown()) {
    const View keyboard = keyboard_view(canvas.whole());
    canvas.fill(keyboard.frame, 0xdfe3ebff);
    for (const View& key : keyboard.children) {
      canvas.fill(key.frame, kWhite);
      canvas.text(key.text, {key.frame.left + 30, key.frame.top + 40}, 5, kInk);
    }
  }
  canvas.fill({width / 2 - 180, height - 36, width / 2 + 180, height - 26}, kInk);
}

}  // namespace

Frame draw_screen(const UiWorld& world) {
  Frame frame{world.display().width(), world.display().height(), {}};
  const auto area = static_cast<std::size_t>(frame.width) * static_cast<std::size_t>(frame.height);
  frame.pixels.assign(area, in_memory(world.awake() ? kBackground : 0x000000ff));
  if (!world.awake()) return frame;
  Canvas canvas(frame);
  if (const auto below = world.window_below()) {
    draw_view(canvas, *below);
    canvas.dim();
    canvas.fill(world.root().frame, kWhite);
  }
  draw_view(canvas, world.root());
  if (const auto beside = world.window_beside()) draw_view(canvas, beside->second);
  draw_system_bars(canvas, world);
  return frame;
}

}  // namespace simdroid
