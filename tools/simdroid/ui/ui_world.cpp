#include "simdroid/ui/ui_world.hpp"

#include <algorithm>

#include "simdroid/ui/layout.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxStack = 200;

const App& no_app() {
  static const App none;
  return none;
}

// A device without a launcher or keyguard file still has something to show.
const Screen& blank_screen() {
  static const Screen blank = [] {
    Screen screen;
    screen.package = kSystemUiPackage;
    screen.activity = "com.android.systemui.Blank";
    screen.root.class_name = "android.widget.FrameLayout";
    return screen;
  }();
  return blank;
}

void replace_uri(std::string& text, const std::string& uri) {
  constexpr std::string_view placeholder = "{uri}";
  const std::size_t at = text.find(placeholder);
  if (at != std::string::npos) text.replace(at, placeholder.size(), uri);
}

// "Wi-Fi calling" -> "wificalling"
std::string letters_and_digits(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') kept += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) kept += c;
  }
  return kept;
}

bool has_text(const NodeSpec& spec, std::string_view wanted) {
  return letters_and_digits(spec.text).find(wanted) != std::string::npos ||
         std::ranges::any_of(spec.children,
                             [&](const NodeSpec& child) { return has_text(child, wanted); });
}

bool has_word(const std::set<std::string, std::less<>>& words, std::string_view wanted) {
  const bool absent = wanted.starts_with('!');
  return words.contains(wanted.substr(absent ? 1 : 0)) != absent;
}

const NodeSpec* node_with_id(const NodeSpec& spec, std::string_view id) {
  if (spec.resource_id == id) return &spec;
  for (const NodeSpec& child : spec.children) {
    if (const NodeSpec* found = node_with_id(child, id)) return found;
  }
  return nullptr;
}

}  // namespace

UiWorld::UiWorld(std::shared_ptr<const ScreenSet> screens) : screens_(std::move(screens)) {
  for (const auto& [package, app] : screens_->apps()) {
    if (!app.installed) uninstalled_.push_back(package);
  }
  const App* system_ui = screens_->find(kSystemUiPackage);
  const bool known = system_ui != nullptr && !system_ui->launch.empty();
  keyguard_.app = known ? system_ui : &no_app();
  keyguard_.id = 1;
  keyguard_.screen = known ? &system_ui->screens.find(system_ui->launch)->second : &blank_screen();
  go_home();
}

void UiWorld::advance(Time now) {
  const auto due = next_change();
  now_ = std::max(now_, now);
  const int turned = rotation ? rotation() : 0;
  if ((due && *due <= now_) || turned != turned_) changed();
  turned_ = turned;
}

Rect UiWorld::display() const {
  const bool lies = rotation && rotation() % 2 != 0;
  return lies ? Rect{0, 0, kScreenHeight, kScreenWidth} : Rect{0, 0, kScreenWidth, kScreenHeight};
}

void UiWorld::set_word(const std::string& word, bool set) {
  if (set) words_.insert(word);
  if (!set) words_.erase(word);
  changed();
}

void UiWorld::show_keyboard(bool shown) {
  keyboard_ = shown;
  changed();
}

std::optional<Time> UiWorld::next_change() const {
  std::optional<Time> next;
  const OpenScreen& open = front();
  const auto consider = [&](const auto& self, const NodeSpec& spec) -> void {
    for (const int ms : {spec.appears_after_ms, spec.disappears_after_ms}) {
      const Time at = open.opened + std::chrono::milliseconds(ms);
      if (ms > 0 && at > now_ && (!next || at < *next)) next = at;
    }
    for (const NodeSpec& child : spec.children) self(self, child);
  };
  consider(consider, open.screen->root);
  return next;
}

const OpenScreen& UiWorld::front() const {
  return shade_shown() && awake_ && !locked_ ? shade_ : resumed();
}

const OpenScreen& UiWorld::resumed() const {
  if (!awake_ || locked_ || recents_.empty()) return keyguard_;
  return tasks_.find(recents_.front())->second.back();
}

OpenScreen& UiWorld::front() { return const_cast<OpenScreen&>(std::as_const(*this).front()); }

std::string_view UiWorld::foreground_package() const { return front().screen->package; }
std::string_view UiWorld::foreground_activity() const { return front().screen->activity; }
const Screen& UiWorld::screen() const { return *front().screen; }

bool UiWorld::passes_filter(const Screen& screen, const NodeSpec& spec) const {
  const NodeSpec* field = node_with_id(screen.root, spec.filter);
  const auto typed = field == nullptr ? typed_.end() : typed_.find({&screen, field->number});
  return typed == typed_.end() || has_text(spec, letters_and_digits(typed->second));
}

std::string UiWorld::text_of(const OpenScreen& open, const NodeSpec& spec) const {
  const auto typed = typed_.find({open.screen, spec.number});
  if (typed != typed_.end()) return typed->second;
  std::string text = spec.text;
  replace_uri(text, open.uri);
  return text;
}

View UiWorld::lay_out(const OpenScreen& open, bool focusable) const {
  const auto state_of = [&](const NodeSpec& spec) {
    const StateKey key{open.screen, spec.number};
    const auto at = [&](int ms) { return open.opened + std::chrono::milliseconds(ms); };
    NodeState state;
    state.present = now_ >= at(spec.appears_after_ms) &&
                    (spec.disappears_after_ms == 0 || now_ < at(spec.disappears_after_ms)) &&
                    (spec.filter.empty() || passes_filter(*open.screen, spec)) &&
                    (spec.when.empty() || has_word(words_, spec.when));
    state.text = text_of(open, spec);
    if (state.text.empty()) state.text = spec.hint;
    const auto checked = checked_.find(key);
    state.checked = checked == checked_.end() ? spec.checked : checked->second;
    state.focused = focusable && focus_ == key;
    const auto scroll = open.scroll.find(spec.number);
    if (scroll != open.scroll.end()) state.scroll = scroll->second;
    return state;
  };
  const Rect window = room_of(open);
  return open.screen->kind == ScreenKind::activity
             ? lay_out_activity(open.screen->root, window, state_of)
             : lay_out_dialog(open.screen->root, window, state_of);
}

const View& UiWorld::root() const {
  if (!laid_out_) laid_out_ = lay_out(front(), true);
  return *laid_out_;
}

void UiWorld::show_shade(Screen shade) {
  if (!awake_ || locked_) return;
  shade_screen_ = std::make_shared<const Screen>(std::move(shade));
  constexpr unsigned kShadeWindow = 2;
  shade_ = OpenScreen{keyguard_.app, shade_screen_.get(), now_, {}, {}, kShadeWindow};
  window_changed();
}

void UiWorld::hide_shade() {
  if (!shade_shown()) return;
  shade_.screen = nullptr;
  window_changed();
}

// A window with a title of its own is no activity's: what lies below it is resumed.
std::string UiWorld::resumed_component() const {
  const OpenScreen& open = resumed();
  const OpenScreen* under = open.screen->window.empty() ? nullptr : below();
  return under == nullptr ? open.component() : under->component();
}

std::vector<UiWindow> UiWorld::windows() const {
  std::vector<UiWindow> all{front().window()};
  all.front().focused = true;
  if (const OpenScreen* under = below()) all.push_back(under->window());
  return all;
}

std::optional<View> UiWorld::window_below() const {
  const OpenScreen* under = below();
  if (under == nullptr) return std::nullopt;
  return lay_out(*under, false);
}

// The topmost activity of the most recent task that has one.
const OpenScreen* UiWorld::below() const {
  const OpenScreen& open = front();
  if (&open == &keyguard_ || &open == &shade_ || open.screen->kind == ScreenKind::activity)
    return nullptr;
  for (const std::string& package : recents_) {
    const auto& stack = tasks_.find(package)->second;
    const auto below = std::find_if(stack.rbegin(), stack.rend(), [](const OpenScreen& candidate) {
      return candidate.screen->kind == ScreenKind::activity;
    });
    if (below != stack.rend()) return &*below;
  }
  return nullptr;
}

// Whatever else comes to the front takes the whole screen.
const OpenScreen* UiWorld::beside() const {
  if (!awake_ || locked_ || recents_.empty()) return nullptr;
  const auto& [upper, lower] = halves_;
  const std::string& front = recents_.front();
  if (front != upper && front != lower) return nullptr;
  const auto other = tasks_.find(front == upper ? lower : upper);
  return other == tasks_.end() ? nullptr : &other->second.back();
}

Rect UiWorld::room_of(const OpenScreen& open) const {
  Rect room = display();
  if (beside() == nullptr) return room;
  const int middle = room.height() / 2;
  if (open.app->package == halves_[0]) room.bottom = middle;
  if (open.app->package == halves_[1]) room.top = middle;
  return room;
}

std::optional<std::pair<UiWindow, View>> UiWorld::window_beside() const {
  const OpenScreen* other = beside();
  if (other == nullptr) return std::nullopt;
  return std::pair(other->window(), lay_out(*other, false));
}

// A finger in the other half gives it the focus.
void UiWorld::focus_at(Point at) {
  const OpenScreen* other = shade_shown() ? nullptr : beside();
  if (other == nullptr || !room_of(*other).contains(at)) return;
  const std::string package = other->app->package;
  std::erase(recents_, package);
  recents_.insert(recents_.begin(), package);
  window_changed();
}

bool UiWorld::split_screen(std::string_view package, std::string_view screen) {
  const std::string upper = resumed().app->package;
  if (package == upper || !open_screen(package, screen)) return false;
  halves_ = {upper, std::string(package)};
  std::erase(recents_, upper);
  recents_.insert(recents_.begin(), upper);
  window_changed();
  return true;
}

// Status bar, navigation bar and the active window; then what lies over or under it.
int UiWorld::window_count() const {
  return 3 + (keyboard_ ? 1 : 0) + (beside() != nullptr ? 1 : 0) +
         (front().screen->kind == ScreenKind::activity ? 0 : 1);
}

bool UiWorld::installed(std::string_view package) const {
  return screens_->find(package) != nullptr &&
         std::find(uninstalled_.begin(), uninstalled_.end(), package) == uninstalled_.end();
}

void UiWorld::uninstall(std::string_view package) {
  if (!installed(package)) return;
  force_stop(package);
  uninstalled_.emplace_back(package);
}

bool UiWorld::install(std::string_view package) {
  if (screens_->find(package) == nullptr) return false;
  std::erase(uninstalled_, package);
  return true;
}

// Brings the app's task to the front, with `screen` on top of it.
bool UiWorld::show(const App& app, const Screen& screen, std::string uri) {
  auto& stack = tasks_[app.package];
  if (stack.empty() || stack.back().screen != &screen) {
    if (stack.size() == kMaxStack) stack.erase(stack.begin());
    constexpr unsigned kFirstWindow = 4;
    stack.push_back({&app, &screen, now_, {}, {}, kFirstWindow + windows_opened_++});
  }
  stack.back().uri = std::move(uri);
  std::erase(recents_, app.package);
  recents_.insert(recents_.begin(), app.package);
  window_changed();
  return true;
}

bool UiWorld::open_app(std::string_view package) {
  const App* app = installed(package) ? screens_->find(package) : nullptr;
  if (app == nullptr || app->launch.empty()) return false;
  const auto task = tasks_.find(package);
  if (task == tasks_.end()) return show(*app, app->screens.find(app->launch)->second, {});
  return show(*app, *task->second.back().screen, task->second.back().uri);
}

std::string UiWorld::launch_activity(std::string_view package) const {
  const App* app = installed(package) ? screens_->find(package) : nullptr;
  if (app == nullptr || app->launch.empty()) return {};
  return app->screens.find(app->launch)->second.activity;
}

bool UiWorld::open_screen(std::string_view package, std::string_view screen) {
  const App* app = installed(package) ? screens_->find(package) : nullptr;
  if (app == nullptr) return false;
  const auto found = app->screens.find(screen);
  return found != app->screens.end() && show(*app, found->second, {});
}

bool UiWorld::open_activity(std::string_view package, std::string_view activity) {
  const App* app = installed(package) ? screens_->find(package) : nullptr;
  if (app == nullptr) return false;
  const std::string full =
      activity.starts_with('.') ? app->package + std::string(activity) : std::string(activity);
  // Its dialogs name the same activity.
  for (const bool dialogs : {false, true}) {
    for (const auto& [name, screen] : app->screens) {
      const bool dialog = screen.kind != ScreenKind::activity;
      if (screen.activity == full && dialog == dialogs) return show(*app, screen, {});
    }
  }
  return false;
}

bool UiWorld::open_uri(std::string_view uri, std::string_view package) {
  const App* best = nullptr;
  const std::string* target = nullptr;
  std::size_t longest = 0;
  for (const auto& [name, app] : screens_->apps()) {
    if (!installed(name) || (!package.empty() && name != package)) continue;
    for (const auto& [prefix, screen] : app.uris) {
      if (!uri.starts_with(prefix) || prefix.size() < longest) continue;
      longest = prefix.size(), best = &app, target = &screen;
    }
  }
  return best != nullptr && show(*best, best->screens.find(*target)->second, std::string(uri));
}

void UiWorld::force_stop(std::string_view package) {
  const auto task = tasks_.find(package);
  if (task != tasks_.end()) tasks_.erase(task);
  const bool was_in_front = !recents_.empty() && recents_.front() == package;
  std::erase(recents_, package);
  std::erase_if(typed_, [&](const auto& entry) { return entry.first.first->package == package; });
  if (was_in_front) return go_home();
  changed();
}

void UiWorld::go_home() {
  const App* launcher = screens_->find(kLauncherPackage);
  if (launcher == nullptr || launcher->launch.empty()) return changed();
  tasks_.erase(launcher->package);
  show(*launcher, launcher->screens.find(launcher->launch)->second, {});
}

// The last screen of a task stays in it, behind the launcher.
void UiWorld::go_back() {
  if (recents_.empty()) return;
  auto& stack = tasks_.find(recents_.front())->second;
  if (stack.size() == 1) return go_home();
  stack.pop_back();
  window_changed();
}

void UiWorld::changed() {
  ++revision_;
  laid_out_.reset();
}

void UiWorld::window_changed() {
  focus_.reset();
  keyboard_ = false;
  changed();
  notify(UiEvent::Type::window_change, nullptr);
}

void UiWorld::notify(UiEvent::Type type, const View* view) {
  if (!listener_) return;
  const OpenScreen& open = front();
  UiEvent event{type, open.screen->package, {}, {}, view, 0, 0, 0, 0};
  if (type == UiEvent::Type::window_change) {
    event.class_name = open.screen->activity;
    event.title = open.screen->title;
  }
  if (type == UiEvent::Type::scroll) {
    const bool horizontal = view->spec->horizontal;
    (horizontal ? event.scroll_x : event.scroll_y) = view->scroll_offset;
    (horizontal ? event.max_scroll_x : event.max_scroll_y) = view->scroll_max;
  }
  listener_(event);
}

void UiWorld::set_awake(bool awake) {
  if (awake_ == awake) return;
  awake_ = awake;
  hide_shade();
  if (!awake) locked_ = true;
  window_changed();
}

void UiWorld::dismiss_keyguard() {
  if (!awake_ || !locked_) return;
  locked_ = false;
  window_changed();
}

}  // namespace simdroid
