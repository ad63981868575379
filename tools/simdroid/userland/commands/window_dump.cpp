#include "simdroid/userland/commands/window_dump.hpp"

#include <array>
#include <cstdio>

#include "simdroid/ui/keyboard.hpp"

namespace simdroid {
namespace {

constexpr int kDisplaysHaveFocusSince = 29;  // before, the windows do
constexpr int kShadeOfItsOwn = 30;           // before, it is a part of the status bar's window

std::string window_number(unsigned id) {
  constexpr unsigned kFirst = 0x51d0d00;
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%x", kFirst + id);
  return text.data();
}

std::string window_text(unsigned id, const std::string& title) {
  return "Window{" + window_number(id) + " u0 " + title + "}";
}

// The lock screen is the shade's window, too.
std::string current_focus(Phone* phone) {
  const UiWorld& ui = phone->ui();
  if (phone->faults.active(Fault::focus_none)) return "null";
  const UiWindow window = ui.windows().front();
  if (!ui.shade_shown() && !ui.locked()) return window_text(window.id, window.title);
  return window_text(window.id, phone->sdk() >= kShadeOfItsOwn ? "NotificationShade" : "StatusBar");
}

// Until Android 10 the record lies in its token.
std::string focused_app(Phone* phone) {
  const std::string record = activity_record(phone->ui());
  if (phone->sdk() >= kShadeOfItsOwn) return record;
  return "AppWindowToken{51d0d05 token=Token{51d0d06 " + record + "}}";
}

std::string focus_lines(const std::string& focus, const std::string& app) {
  return "  mCurrentFocus=" + focus + "\n  mFocusedApp=" + app + "\n";
}

std::string size_text(const Rect& display) {
  return std::to_string(display.width()) + "x" + std::to_string(display.height());
}

std::string dump_policy(Phone* phone) {
  const UiWorld& ui = phone->ui();
  const std::string locked = ui.locked() ? "true" : "false";
  return "WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    showing=" + locked +
         "\n    mIsShowing=" + locked + "\n    mDreamingLockscreen=" + locked +
         "\n    screenState=" + (ui.awake() ? "SCREEN_STATE_ON" : "SCREEN_STATE_OFF") + "\n";
}

std::string rect_text(const Rect& rect) {
  return "[" + std::to_string(rect.left) + "," + std::to_string(rect.top) + "][" +
         std::to_string(rect.right) + "," + std::to_string(rect.bottom) + "]";
}

// Since Android 11 a keyboard is printed as the insets that it takes from the windows.
std::string keyboard_insets(Phone* phone) {
  constexpr int kInsetsSince = 30;
  constexpr int kNewNames = 34;
  if (phone->sdk() < kInsetsSince) return "";
  const bool shown = phone->ui().keyboard_shown();
  const std::string name =
      phone->sdk() < kNewNames ? "InsetsSource type=ITYPE_IME" : "InsetsSource id=3 type=ime";
  const std::string place = rect_text(keyboard_place(phone->ui().display()));
  return "        " + name + " frame=" + (shown ? place : "[0,0][0,0]") + " visibleFrame=" + place +
         " visible=" + (shown ? "true" : "false") + "\n";
}

// `wm size` decides where it was set.
std::string display_lines(Phone* phone) {
  if (phone->faults.active(Fault::screen_untold)) return "  Display: mDisplayId=0\n";
  const std::string size =
      phone->size_override.empty() ? size_text(phone->ui().display()) : phone->size_override;
  return "  Display: mDisplayId=0\n    init=1080x2400 420dpi cur=" + size + " app=" + size + "\n" +
         keyboard_insets(phone);
}

std::string dump_displays(Phone* phone) {
  std::string text =
      "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n" + display_lines(phone);
  if (phone->sdk() >= kDisplaysHaveFocusSince) {
    text += focus_lines(current_focus(phone), focused_app(phone));
  }
  return text;
}

struct ListedWindow {
  UiWindow window;
  std::string_view type;
  Rect frame, touchable;
  bool visible = true;
};

std::string listed(const ListedWindow& each, int number, int sdk) {
  constexpr int kHasFrames = 31;
  const Rect& touch = each.touchable;
  const std::string frame = rect_text(each.frame);
  const std::string visible = each.visible ? "true" : "false";
  return "  Window #" + std::to_string(number) + " " +
         window_text(each.window.id, each.window.title) +
         ":\n    mDisplayId=0\n    package=" + each.window.package +
         " appop=NONE\n    mAttrs={(0,0)(fillxfill) ty=" + std::string(each.type) +
         " fmt=TRANSLUCENT}\n    mHasSurface=" + visible + "\n    " +
         (sdk >= kHasFrames ? "Frames: parent=" + frame + " display=" + frame + " frame=" + frame
                            : "mFrame=" + frame + " last=" + frame) +
         "\n    touchable region=SkRegion((" + std::to_string(touch.left) + "," +
         std::to_string(touch.top) + "," + std::to_string(touch.right) + "," +
         std::to_string(touch.bottom) + "))\n    isOnScreen=" + visible +
         "\n    isVisible=" + visible + "\n";
}

// From the uppermost window down. The keyboard's window reaches to the status bar; what of it takes
// fingers is its touchable region.
std::vector<ListedWindow> windows_of(const UiWorld& ui) {
  constexpr int kStatusBar = 63;
  const Rect display = ui.display();
  const Rect bar{0, 0, display.right, kStatusBar};
  const Rect below_bar{0, kStatusBar, display.right, display.bottom};
  std::vector<ListedWindow> all{
      {{2, std::string(kSystemUiPackage), "StatusBar"}, "STATUS_BAR", bar, bar},
      {keyboard_window(), "INPUT_METHOD", below_bar, keyboard_place(display), ui.keyboard_shown()}};
  const std::vector<UiWindow> windows = ui.windows();
  all.push_back({windows.front(), "BASE_APPLICATION", ui.root().bounds, ui.root().bounds});
  if (windows.size() > 1) all.push_back({windows.back(), "BASE_APPLICATION", display, display});
  if (const auto beside = ui.window_beside()) {
    const Rect& place = beside->second.bounds;
    all.push_back({beside->first, "BASE_APPLICATION", place, place});
  }
  return all;
}

std::string dump_windows(Phone* phone) {
  std::string text = "WINDOW MANAGER WINDOWS (dumpsys window windows)\n";
  int number = 0;
  for (const ListedWindow& each : windows_of(phone->ui())) {
    text += listed(each, number++, phone->sdk());
  }
  if (phone->sdk() < kDisplaysHaveFocusSince) {
    text += focus_lines(current_focus(phone), focused_app(phone));
  }
  const UiWindow keyboard = keyboard_window();
  return text + "  mInputMethodWindow=" + window_text(keyboard.id, keyboard.title) + "\n";
}

// The app in front at that time, printed like the current one.
std::string dump_last_anr(Phone* phone) {
  std::string text = "WINDOW MANAGER LAST ANR (dumpsys window lastanr)\n";
  if (!phone->faults.active(Fault::last_anr)) return text + "  <no ANR has occurred since boot>\n";
  const std::string title = phone->faults.text(Fault::last_anr);
  const std::string record = "ActivityRecord{51d0dff u0 " + title + " t6}";
  return text + "  ANR time: Jan 1, 2026 9:30:00 AM\n  Application at fault: " + record +
         "\n  Reason: Input dispatching timed out\n\nLast ANR continued\n"
         "WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n" +
         focus_lines(window_text(0xfe, title), record);
}

struct Section {
  std::string_view name;
  std::string (*dump)(Phone*);
};
constexpr Section kSections[] = {{"lastanr", dump_last_anr},
                                 {"policy", dump_policy},
                                 {"displays", dump_displays},
                                 {"windows", dump_windows}};

}  // namespace

// Its class is written short where it lies below the package.
std::string activity_record(const UiWorld& ui) {
  std::string component = ui.resumed_component();
  const std::size_t slash = component.find('/');
  const std::string package = component.substr(0, slash);
  if (component.compare(slash + 1, package.size() + 1, package + ".") == 0) {
    component.erase(slash + 1, package.size());
  }
  return "ActivityRecord{51d0d02 u0 " + component + " t7}";
}

std::string dump_window(Process* process) {
  const std::string& wanted = process->arg(2);
  std::string text;
  for (const Section& section : kSections) {
    if (wanted.empty() || wanted == section.name) text += section.dump(process->phone);
  }
  if (!text.empty()) return text;
  return "Bad window command, or no windows match: " + wanted + "\nUse -h for help.\n";
}

}  // namespace simdroid
