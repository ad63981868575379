#include "simdroid/ui/keyboard.hpp"

namespace simdroid {
namespace {

constexpr int kHeight = 780;
constexpr int kColumns = 10;
constexpr int kRows = 4;
constexpr std::string_view kLetters = "qwertyuiopasdfghjkl-zxcvbnm,.?123+   <>!";

NodeSpec keyboard_spec() {
  NodeSpec keyboard;
  keyboard.class_name = "android.widget.FrameLayout";
  keyboard.resource_id = "android:id/inputArea";
  for (const char letter : kLetters) {
    NodeSpec key;
    key.number = static_cast<int>(keyboard.children.size()) + 1;
    key.class_name = "android.view.View";
    key.text = std::string(1, letter);
    key.clickable = true;
    keyboard.children.push_back(std::move(key));
  }
  return keyboard;
}

View view_at(const NodeSpec& spec, const Rect& place) {
  View view;
  view.spec = &spec;
  view.bounds = view.frame = view.reported = place;
  view.text = spec.text;
  return view;
}

}  // namespace

Rect keyboard_place(const Rect& display) {
  return {display.left, display.bottom - kHeight, display.right, display.bottom};
}

View keyboard_view(const Rect& display) {
  static const NodeSpec spec = keyboard_spec();
  const Rect place = keyboard_place(display);
  View keyboard = view_at(spec, place);
  for (int key = 0; key < kColumns * kRows; ++key) {
    constexpr int kGap = 8, kKeyHeight = 130, kRowHeight = 160, kFirstRow = 40;
    const int left = key % kColumns * place.width() / kColumns + kGap;
    const int top = place.top + kFirstRow + key / kColumns * kRowHeight;
    const Rect of_key{left, top, left + place.width() / kColumns - 2 * kGap, top + kKeyHeight};
    keyboard.children.push_back(view_at(spec.children[static_cast<std::size_t>(key)], of_key));
  }
  return keyboard;
}

UiWindow keyboard_window() {
  constexpr unsigned kKeyboardId = 3;
  return {kKeyboardId, std::string(kKeyboardPackage), "InputMethod", false};
}

}  // namespace simdroid
