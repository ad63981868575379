// Taps, keys and accessibility actions: the second half of UiWorld.
#include "simdroid/ui/keyboard.hpp"
#include "simdroid/ui/ui_world.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace simdroid {
namespace {

// A swipe shorter than this is a tap: Android's touch slop, 8 dp.
constexpr int kTouchSlop = 21;
constexpr std::size_t kMaxTyped = 65536;

struct KeyName {
  std::string_view name;
  int code;
  Key key;
};

constexpr std::array kKeys = {
    KeyName{"ESCAPE", 111, Key::escape},
    KeyName{"BACK", 4, Key::back},
    KeyName{"HOME", 3, Key::home},
    KeyName{"APP_SWITCH", 187, Key::recents},
    KeyName{"ENTER", 66, Key::enter},
    KeyName{"NUMPAD_ENTER", 160, Key::enter},
    KeyName{"POWER", 26, Key::power},
    KeyName{"WAKEUP", 224, Key::wakeup},
    KeyName{"SLEEP", 223, Key::sleep},
    KeyName{"MENU", 82, Key::menu},
    KeyName{"DEL", 67, Key::del},
    KeyName{"TAB", 61, Key::tab},
    KeyName{"SPACE", 62, Key::space},
    KeyName{"DPAD_UP", 19, Key::dpad_up},
    KeyName{"DPAD_DOWN", 20, Key::dpad_down},
    KeyName{"DPAD_LEFT", 21, Key::dpad_left},
    KeyName{"DPAD_RIGHT", 22, Key::dpad_right},
    KeyName{"DPAD_CENTER", 23, Key::dpad_centre},
    KeyName{"VOLUME_UP", 24, Key::volume_up},
    KeyName{"VOLUME_DOWN", 25, Key::volume_down},
};

// The deepest view at `at` for which `wants` holds; later siblings are painted over earlier ones.
template <class Predicate>
const View* deepest_at(const View& view, Point at, const Predicate& wants) {
  if (!view.bounds.contains(at)) return nullptr;
  for (auto child = view.children.rbegin(); child != view.children.rend(); ++child) {
    if (const View* hit = deepest_at(*child, at, wants)) return hit;
  }
  return wants(view) ? &view : nullptr;
}

std::string without_last_character(std::string text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::optional<Key> key_from_name(std::string_view name) {
  if (name.starts_with("KEYCODE_")) name.remove_prefix(8);
  int code = 0;
  const char* const end = name.data() + name.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
  const auto [stop, error] = std::from_chars(name.data(), end, code);
  const bool is_number = error == std::errc() && stop == end;
  for (const KeyName& known : kKeys) {
    if (is_number ? known.code == code : known.name == name) return known.key;
  }
  if (is_number && code >= 0 && code < 400) return Key::other;
  return std::nullopt;
}

const View* UiWorld::view_of(int number) const {
  return find_view(root(), [number](const View& view) { return view.spec->number == number; });
}

void UiWorld::press(Key key) {
  if (key == Key::power) return set_awake(!awake_);
  if (key == Key::wakeup) return set_awake(true);
  if (key == Key::sleep) return set_awake(false);
  if (!awake_) return;
  if (locked_) {
    if (key == Key::menu) dismiss_keyguard();
    return;
  }
  if (shade_shown() && (key == Key::back || key == Key::home || key == Key::recents)) {
    hide_shade();
    if (key == Key::back) return;
  }
  switch (key) {
    case Key::back:
      if (listener_) notify(UiEvent::Type::press_back, nullptr);
      if (!keyboard_) return go_back();
      keyboard_ = false;
      return changed();
    case Key::escape:
      if (!keyboard_) return;
      keyboard_ = false;
      return changed();
    case Key::home: return go_home();
    case Key::recents:
      if (!open_screen(kLauncherPackage, "recents")) go_home();
      return;
    default: return press_in_focus(key);
  }
}

// A keyboard's key for the focused field.
void UiWorld::press_in_focus(Key key) {
  const auto named = std::ranges::find(kKeys, key, &KeyName::key);
  if (key == Key::space) return type(" ");
  if (named == kKeys.end() || (key != Key::enter && key != Key::dpad_centre && key != Key::del)) {
    return;
  }
  const View* field = focus_ ? view_of(focus_->second) : nullptr;
  note(TouchKind::key, field, std::string(named->name));
  if (field == nullptr) return;
  if (key != Key::del) return submit_field(focus_->second);
  const std::string text = text_of(front(), *field->spec);
  if (!text.empty()) edit(focus_->second, without_last_character(text));
}

void UiWorld::note(TouchKind kind, const View* view, std::string text, std::optional<Point> at) {
  touches_.add(kind, front().window(), view, std::move(text), at);
}

// True where the keyboard lies: its key takes the finger.
bool UiWorld::tap_keyboard(Point at) {
  if (!keyboard_ || !screen().keyboard_covers || !keyboard_place(display()).contains(at)) {
    return false;
  }
  const View keyboard = keyboard_view(display());
  const View* key = deepest_at(keyboard, at, [](const View& view) { return view.spec->clickable; });
  touches_.add(TouchKind::tap, keyboard_window(), key, {}, at);
  if (key != nullptr && std::isalnum(static_cast<unsigned char>(key->text.front())) != 0) {
    type(key->text);
  }
  return true;
}

void UiWorld::tap(Point at) {
  if (!awake_ || tap_keyboard(at)) return;
  focus_at(at);
  const View* hit = deepest_at(root(), at, [](const View& view) { return view.spec->clickable; });
  note(TouchKind::tap, hit, {}, at);
  if (hit != nullptr && hit->spec->enabled) {
    take_click(*hit, Click::click);
  } else if (screen().kind == ScreenKind::dialog && display().contains(at) &&
             !root().bounds.contains(at)) {
    go_back();
  }
}

void UiWorld::long_press(Point at) {
  if (!awake_ || tap_keyboard(at)) return;
  focus_at(at);
  const View* hit =
      deepest_at(root(), at, [](const View& view) { return view.spec->long_clickable; });
  note(TouchKind::long_press, hit, {}, at);
  if (hit != nullptr && hit->spec->enabled) take_click(*hit, Click::long_click);
}

void UiWorld::swipe(Point from, Point to) {
  if (!awake_) return;
  const int dx = from.x - to.x, dy = from.y - to.y;
  if (std::abs(dx) <= kTouchSlop && std::abs(dy) <= kTouchSlop) return tap(from);
  if (locked_) {
    if (dy > kScreenHeight / 4) dismiss_keyguard();
    return;
  }
  focus_at(from);
  const bool horizontal = std::abs(dx) > std::abs(dy);
  const View* hit = deepest_at(root(), from, [horizontal](const View& view) {
    return view.scrollable && view.spec->horizontal == horizontal;
  });
  note(TouchKind::swipe, hit, {}, from);
  if (hit != nullptr) scroll_pixels(*hit, horizontal ? dx : dy);
}

void UiWorld::type(std::string_view text) {
  if (!awake_) return;
  const View* field = focus_ ? view_of(focus_->second) : nullptr;
  note(TouchKind::keys, field, std::string(text));
  if (field == nullptr) return;
  std::string whole = text_of(front(), *field->spec);
  if (whole.size() + text.size() > kMaxTyped) return;
  edit(focus_->second, whole.append(text));
}

bool UiWorld::perform_click(int number, Click click) {
  const View* view = view_of(number);
  if (view == nullptr || !view->spec->enabled) return false;
  const NodeSpec& spec = *view->spec;
  const bool takes = click == Click::click        ? spec.clickable
                     : click == Click::long_click ? spec.long_clickable
                                                  : spec.focusable;
  if (!takes) return false;
  note(click == Click::click        ? TouchKind::click
       : click == Click::long_click ? TouchKind::long_click
                                    : TouchKind::focus,
       view);
  return take_click(*view, click);
}

// By a finger or without one.
bool UiWorld::take_click(const View& view, Click click) {
  const NodeSpec& spec = *view.spec;
  const int number = spec.number;
  if (click == Click::long_click) {
    run(spec.on_long_click, number);
    return true;
  }
  if (click == Click::click) notify(UiEvent::Type::click, &view);
  if (spec.editable || click == Click::focus) {
    focus_ = StateKey{front().screen, number};
    keyboard_ = spec.editable && click == Click::click;
    changed();
  }
  if (click == Click::click)
    run(spec.on_click.empty() && spec.checkable ? "toggle" : spec.on_click, number);
  return true;
}

// go:SCREEN  app:PACKAGE  uri:ADDRESS  toggle  back  home
void UiWorld::run(const std::string& verb, int number) {
  const std::string argument = verb.substr(std::min(verb.find(':') + 1, verb.size()));
  const OpenScreen& open = std::as_const(*this).front();
  if (verb == "clear-all" && on_clear_) return on_clear_();
  if (&open == &keyguard_ || &open == &shade_) return;
  if (verb == "toggle") return toggle(number);
  if (verb == "back") return go_back();
  if (verb == "home") return go_home();
  if (verb.starts_with("app:")) open_app(argument);
  if (verb.starts_with("uri:")) open_uri(argument);
  if (verb.starts_with("go:")) {
    const std::string package = front().app->package;
    // A dialog that leads somewhere is gone when one comes back.
    if (screen().kind != ScreenKind::activity) tasks_.find(package)->second.pop_back();
    const bool emptied = tasks_.find(package)->second.empty();
    if (emptied) tasks_.erase(package);
    if (!open_screen(package, argument) && emptied) go_home();
  }
}

// The node itself, or the first switch inside it.
void UiWorld::toggle(int number) {
  const View* view = view_of(number);
  const View* target =
      view == nullptr ? nullptr : find_view(*view, [](const View& v) { return v.spec->checkable; });
  if (target == nullptr) return;
  checked_[{front().screen, target->spec->number}] = !target->checked;
  changed();
}

void UiWorld::edit(int number, std::string text) {
  typed_[{front().screen, number}] = std::move(text);
  changed();
  notify(UiEvent::Type::text_change, view_of(number));
}

bool UiWorld::set_text(int number, std::string_view text) {
  const View* view = view_of(number);
  if (view == nullptr || !view->spec->editable || !view->spec->enabled) return false;
  note(TouchKind::text, view, std::string(text));
  focus_ = StateKey{front().screen, number};
  edit(number, std::string(text));
  return true;
}

void UiWorld::submit(int number) {
  const View* view = view_of(number);
  if (view == nullptr) return;
  note(TouchKind::submit, view);
  submit_field(number);
}

void UiWorld::submit_field(int number) {
  if (view_of(number) == nullptr) return;
  keyboard_ = false;
  changed();
  const NodeSpec& spec = *view_of(number)->spec;
  run(spec.editable ? spec.on_submit : spec.on_click, number);
}

Scrolled UiWorld::scroll(int number, Direction direction, double distance_ratio) {
  const View* view = view_of(number);
  if (view == nullptr || !view->scrollable) return Scrolled::not_scrollable;
  note(TouchKind::scroll, view);
  const bool horizontal = direction == Direction::left || direction == Direction::right;
  if (view->spec->horizontal != horizontal) return Scrolled::edge_reached;
  const int extent = horizontal ? view->bounds.width() : view->bounds.height();
  const int pixels = static_cast<int>(std::lround(extent * std::clamp(distance_ratio, 0.0, 1.0)));
  const bool forward = direction == Direction::down || direction == Direction::right;
  return scroll_pixels(*view, forward ? pixels : -pixels) ? Scrolled::moved
                                                          : Scrolled::edge_reached;
}

bool UiWorld::scroll_pixels(const View& view, int pixels) {
  const int number = view.spec->number;
  const int before = view.scroll_offset;
  const int after = std::clamp(before + pixels, 0, view.scroll_max);
  if (after == before) return false;
  front().scroll[number] = after;
  changed();
  notify(UiEvent::Type::scroll, view_of(number));
  return true;
}

}  // namespace simdroid
