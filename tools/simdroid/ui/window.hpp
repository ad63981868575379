#pragma once
// Windows as the window manager lists them, and the events of an accessibility service about them.

#include <cstdint>
#include <map>
#include <string>

#include "simdroid/profile.hpp"
#include "simdroid/ui/view.hpp"

namespace simdroid {

struct UiWindow {
  unsigned id = 0;  // another one for each window that was opened
  std::string package, title;
  bool focused = false;
  std::string screen{};  // its name in the screen file
};

// A screen that an app has opened.
struct OpenScreen {
  const App* app = nullptr;
  const Screen* screen = nullptr;
  Time opened;
  std::string uri;
  std::map<int, int> scroll;  // node number -> pixels
  unsigned id = 0;

  // "PACKAGE/ACTIVITY"
  [[nodiscard]] std::string component() const { return screen->package + "/" + screen->activity; }
  [[nodiscard]] UiWindow window() const {
    const std::string title = screen->window.empty() ? component() : screen->window;
    return {id, screen->package, title, false, screen->name};
  }
};

// `view` lives during the callback only.
struct UiEvent {
  enum class Type : std::uint8_t { window_change, click, scroll, press_back, text_change };
  Type type{};
  std::string package, class_name, title;  // class and title: window_change only
  const View* view = nullptr;              // click, scroll, text_change
  int scroll_x = 0, scroll_y = 0, max_scroll_x = 0, max_scroll_y = 0;
};

}  // namespace simdroid
