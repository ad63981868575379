#pragma once
// The keyboard's own window, at the lower end of the display. Its keys are nodes of its package.

#include <string_view>

#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

inline constexpr std::string_view kKeyboardPackage = "com.android.inputmethod.latin";

// The rectangle that it takes of this display.
Rect keyboard_place(const Rect& display);
// A key's text is the typed one; keys that are no letter or digit type nothing.
View keyboard_view(const Rect& display);
UiWindow keyboard_window();

}  // namespace simdroid
