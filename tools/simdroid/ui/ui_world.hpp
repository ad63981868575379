#pragma once
// The phone's user interface as a value: the screen in front, and the typed, toggled and scrolled
// state. Every input of a finger, a key or an app is a method here.
//
//   open_app / open_uri / tap / press / ...   ->  state, revision()++
//   root()                                    <-  the visible nodes, laid out on demand
//
// Tasks are per package, each a stack of screens; `back` pops, the last pop shows the launcher.
// While the screen is off or locked the keyguard covers everything. Time comes in by advance().

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "simdroid/ui/input.hpp"
#include "simdroid/ui/touch.hpp"
#include "simdroid/ui/window.hpp"

namespace simdroid {

class UiWorld {
 public:
  explicit UiWorld(std::shared_ptr<const ScreenSet> screens = bundled_screens());

  void advance(Time now);
  [[nodiscard]] Time now() const { return now_; }
  // When a delayed node will come or go; nullopt when time changes nothing.
  [[nodiscard]] std::optional<Time> next_change() const;
  [[nodiscard]] std::uint64_t revision() const { return revision_; }  // counts visible changes

  std::function<int()> rotation{};  // of the display, in quarters of a turn; empty: 0

  // --- the app in front
  [[nodiscard]] std::string_view foreground_package() const;
  [[nodiscard]] std::string_view foreground_activity() const;  // full class name
  [[nodiscard]] const Screen& screen() const;
  // The app whose task is in front; differs from foreground_package() under an overlay.
  [[nodiscard]] std::string_view task_package() const { return front().app->package; }
  // The tree of the window in front. Valid until the next change.
  [[nodiscard]] const View& root() const;
  [[nodiscard]] std::optional<View> window_below() const;  // under a dialog or an overlay
  [[nodiscard]] std::vector<UiWindow> windows() const;     // the one in front, then that one
  // The window in the other half of a split screen, without the focus.
  [[nodiscard]] std::optional<std::pair<UiWindow, View>> window_beside() const;
  [[nodiscard]] int window_count() const;
  [[nodiscard]] Rect display() const;  // turned by rotation()
  [[nodiscard]] bool awake() const { return awake_; }
  [[nodiscard]] bool locked() const { return locked_; }
  [[nodiscard]] bool keyboard_shown() const { return keyboard_; }

  // --- the notification shade, over whatever is in front of a phone that is not locked
  void show_shade(Screen shade);
  void hide_shade();
  [[nodiscard]] bool shade_shown() const { return shade_.screen != nullptr; }
  // "PACKAGE/ACTIVITY" of the app in front, whatever lies over it.
  [[nodiscard]] std::string resumed_component() const;
  // Its button was tapped.
  void set_clear_listener(std::function<void()> listener) { on_clear_ = std::move(listener); }

  // --- apps
  [[nodiscard]] bool installed(std::string_view package) const;
  void uninstall(std::string_view package);  // and back again by install()
  bool install(std::string_view package);    // false: nothing is known about such a package
  bool open_app(std::string_view package);   // false: no such app or no launcher entry
  // The full class name that the launcher starts; empty: none.
  [[nodiscard]] std::string launch_activity(std::string_view package) const;
  bool open_screen(std::string_view package, std::string_view screen);  // by screen name
  // The app in front moves to the upper half and keeps the focus; the lower half shows that.
  bool split_screen(std::string_view package, std::string_view screen);
  bool open_activity(std::string_view package, std::string_view activity);  // `.X` or full
  bool open_uri(std::string_view uri, std::string_view package = {});  // false: no app handles it
  void force_stop(std::string_view package);  // typed text and its task are gone

  // --- for tests: changes of a screen, and the log of input
  void set_word(const std::string& word, bool set);  // nodes come and go with it: NodeSpec::when
  void show_keyboard(bool shown);                    // as an app can, whatever has the focus
  [[nodiscard]] const TouchRecord& touches() const { return touches_; }
  std::function<void()> on_tree_read{};  // called by a reader of the tree

  // --- fingers and keys; all are ignored while the screen is off, except power and wakeup
  void press(Key key);
  void tap(Point at), long_press(Point at);
  void swipe(Point from, Point to);
  void type(std::string_view text);  // at the end of the focused field; ignored without one

  // --- what an accessibility service can do to a node of root(), by NodeSpec::number
  bool perform_click(int number, Click click);  // false: such a node takes no such click
  bool set_text(int number, std::string_view text);
  void submit(int number);  // enter, in that field
  Scrolled scroll(int number, Direction direction, double distance_ratio);

  // --- settings
  void set_awake(bool awake);
  void dismiss_keyguard();
  void set_event_listener(std::function<void(const UiEvent&)> listener) {
    listener_ = std::move(listener);
  }

 private:
  using StateKey = std::pair<const Screen*, int>;

  [[nodiscard]] const OpenScreen& resumed() const;
  [[nodiscard]] const OpenScreen& front() const;
  [[nodiscard]] OpenScreen& front();
  [[nodiscard]] const OpenScreen* below() const;
  [[nodiscard]] const OpenScreen* beside() const;
  [[nodiscard]] Rect room_of(const OpenScreen& open) const;
  void focus_at(Point at);
  [[nodiscard]] View lay_out(const OpenScreen& open, bool focusable) const;
  [[nodiscard]] bool passes_filter(const Screen& screen, const NodeSpec& spec) const;
  [[nodiscard]] const View* view_of(int number) const;
  [[nodiscard]] std::string text_of(const OpenScreen& open, const NodeSpec& spec) const;  // no hint
  bool show(const App& app, const Screen& screen, std::string uri);
  void go_home(), go_back();
  void run(const std::string& verb, int number);
  void note(TouchKind kind, const View* view, std::string text = {}, std::optional<Point> at = {});
  bool tap_keyboard(Point at);
  void press_in_focus(Key key);
  bool take_click(const View& view, Click click);
  void submit_field(int number), toggle(int number);
  void changed(), window_changed();
  void notify(UiEvent::Type type, const View* view);
  bool scroll_pixels(const View& view, int pixels);
  void edit(int number, std::string text);

  std::shared_ptr<const ScreenSet> screens_;
  std::vector<std::string> uninstalled_, recents_;  // the latter with a task, most recent first
  std::map<std::string, std::vector<OpenScreen>, std::less<>> tasks_;
  std::array<std::string, 2> halves_;  // packages: the upper one, the lower one; empty: no split
  std::shared_ptr<const Screen> shade_screen_;
  OpenScreen keyguard_, shade_;  // the latter's screen is null while it is up
  std::set<std::string, std::less<>> words_;
  TouchRecord touches_;
  std::map<StateKey, std::string> typed_;
  std::map<StateKey, bool> checked_;
  std::optional<StateKey> focus_;
  bool keyboard_ = false, awake_ = true, locked_ = false;
  Time now_;
  std::uint64_t revision_ = 1;
  unsigned windows_opened_ = 0;
  int turned_ = 0;  // the rotation that was laid out
  mutable std::optional<View> laid_out_;
  std::function<void(const UiEvent&)> listener_;
  std::function<void()> on_clear_;
};

}  // namespace simdroid
