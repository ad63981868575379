#include "runtime/host/verbs/notifications.hpp"

#include <algorithm>

#include "base/async/signal.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/android/screen_commands.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/engine/shell_backend/shell_hand.hpp"
#include "runtime/engine/shell_backend/steps.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/phone_maker.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kManager = "Current Notification Manager state";
constexpr std::string_view kListHeading = "Notification List:";
// Every release prints it below the list, also below an empty one.
constexpr std::string_view kBelowList = "notification listeners";
constexpr std::size_t kInList = 4;  // blanks before what belongs to the list
constexpr std::string_view kRecordHead = "NotificationRecord(0x";

struct DumpLine {
  std::size_t indent = 0;
  std::string_view text{};  // without the indent
  std::string_view whole{};
};

DumpLine take_dump_line(std::string_view* rest) {
  const std::size_t end = std::min(rest->find('\n'), rest->size());
  const std::string_view line = trimmed_end(rest->substr(0, end), "\r");
  rest->remove_prefix(std::min(end + 1, rest->size()));
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return {indent, line.substr(indent), line};
}

// The text between `from` and the next `to`; nullopt where one of them is missing.
std::optional<std::string_view> text_between(std::string_view text, std::string_view from,
                                             std::string_view to) {
  const auto at = text.find(from);
  if (at == text.npos) return std::nullopt;
  text.remove_prefix(at + from.size());
  const auto end = text.find(to);
  return end == text.npos ? std::nullopt : std::optional(text.substr(0, end));
}

// 0x22, or names since Android 14: ONGOING_EVENT is 2, NO_CLEAR is 32.
bool keeps(std::string_view flags) {
  constexpr unsigned kOngoingOrNoClear = 0x22;
  flags = flags.substr(0, flags.find_first_of(" ),"));
  if (flags.starts_with("0x")) {
    return (whole_number<std::uint32_t>(flags.substr(2), 16).value_or(0) & kOngoingOrNoClear) != 0;
  }
  return flags.contains("ONGOING_EVENT") || flags.contains("NO_CLEAR");
}

// NotificationRecord(0x0d3: pkg=a.b user=UserHandle{0} id=7 tag=null importance=3 key=0|...: ...
std::optional<Notification> read_head(std::string_view line) {
  const auto package = text_between(line, ": pkg=", " user=");
  if (!package || package->empty()) return std::nullopt;
  Notification found{.package = std::string(*package)};
  found.id =
      whole_number<std::int64_t>(text_between(line, " id=", " tag=").value_or("")).value_or(0);
  const auto tag = text_between(line, " tag=", " importance=").value_or("");
  if (tag != "null") found.tag = tag.substr(0, kMostNotificationText);
  found.importance =
      whole_number<std::int64_t>(text_between(line, " importance=", " key=").value_or(""));
  found.key = text_between(line, " key=", ": Notification(").value_or("");
  const auto flags = line.find(" flags=");
  if (flags != line.npos) found.ongoing = keeps(line.substr(flags + 7));
  return found;
}

std::string cut(std::string_view text) {
  std::size_t size = std::min(text.size(), kMostNotificationText);
  constexpr unsigned kContinuation = 0x80;
  while (size > 0 && size < text.size() &&
         (static_cast<unsigned char>(text[size]) & 0xc0U) == kContinuation) {
    --size;
  }
  return std::string(text.substr(0, size));
}

class RecordReader {
 public:
  void read(const DumpLine& line) {
    if (in_extras_) return read_extra(line);
    if (line.text == "extras={") {
      in_extras_ = true;
      key_indent_ = 0;
      extras_indent_ = line.indent;
    } else if (line.text.starts_with("key=") && !has_key_) {
      found_.key = line.text.substr(4, kMostNotificationText);
      has_key_ = true;
    } else if (line.text.starts_with("flags=")) {
      found_.ongoing = found_.ongoing || keeps(line.text.substr(6));
    } else if (line.text.starts_with('[')) {
      read_action(line.text);
    }
  }

  // Whether the next line may begin another record or end the list: it is no part of a text.
  [[nodiscard]] bool is_between() const { return !in_extras_; }

  explicit RecordReader(Notification head) : found_(std::move(head)) {}

  Notification take() {
    end_value();
    return std::move(found_);
  }

 private:
  // [0] "Reply" -> PendingIntent{...}
  void read_action(std::string_view text) {
    const auto title = text_between(text, "] \"", "\" -> ");
    if (!title || found_.actions.size() >= kMostNotificationActions) return;
    found_.actions.push_back(cut(*title));
  }

  std::optional<std::string>* wanted(std::string_view name) {
    if (name == "android.title") return &found_.title;
    if (name == "android.text") return &found_.text;
    return name == "android.bigText" ? &found_.big_text : nullptr;
  }

  // android.title=String (A title
  // that goes on)
  void read_extra(const DumpLine& line) {
    if (key_indent_ == 0 && line.indent > extras_indent_) key_indent_ = line.indent;
    if (line.text == "}" && line.indent == extras_indent_) {
      end_value();
      in_extras_ = false;
      return;
    }
    const auto equals = line.text.find('=');
    const std::string_view name = line.text.substr(0, equals);
    const bool begins = equals != line.text.npos && line.indent == key_indent_ &&
                        name.find_first_of(" ()\"") == name.npos;
    if (!begins) {
      if (value_ != nullptr && pending_.size() <= kMostNotificationText) {
        pending_.append("\n").append(line.whole);
      }
      return;
    }
    end_value();
    const auto open = line.text.find(" (", equals);
    if (open == line.text.npos) return;
    value_ = wanted(name);
    if (value_ != nullptr) pending_ = line.text.substr(open + 2);
  }

  void end_value() {
    if (value_ == nullptr) return;
    std::string_view text = pending_;
    if (text.ends_with(')')) text.remove_suffix(1);
    *value_ = cut(text);
    value_ = nullptr;
  }

  Notification found_;
  bool has_key_ = false;
  bool in_extras_ = false;
  std::size_t extras_indent_ = 0;
  std::size_t key_indent_ = 0;
  std::optional<std::string>* value_ = nullptr;  // the text that is being read
  std::string pending_;
};

bool is_heading(const DumpLine& line) { return line.indent == 2 && line.text == kListHeading; }

}  // namespace

std::optional<std::vector<Notification>> parse_notifications(std::string_view dumpsys) {
  const auto begin = dumpsys.find(kManager);
  if (begin == dumpsys.npos) return std::nullopt;
  std::string_view rest = dumpsys.substr(begin);
  bool is_listed = false;
  while (!rest.empty() && !is_listed) is_listed = is_heading(take_dump_line(&rest));
  if (!is_listed) {
    return dumpsys.contains(kBelowList) ? std::optional(std::vector<Notification>{}) : std::nullopt;
  }
  std::vector<Notification> all;
  std::optional<RecordReader> reader;
  std::size_t indent = 0;
  while (!rest.empty() && all.size() < kMostNotifications) {
    const DumpLine line = take_dump_line(&rest);
    const bool is_text = reader && !reader->is_between();
    if (!is_text && line.text.starts_with(kRecordHead) && (indent == 0 || line.indent == indent)) {
      if (reader) all.push_back(reader->take());
      reader.reset();
      indent = line.indent;
      if (auto head = read_head(line.text)) reader.emplace(*std::move(head));
    } else if (is_text || (reader && line.indent > indent)) {
      reader->read(line);
    } else if (line.indent < kInList) {
      break;  // the next section
    }
  }
  if (reader && all.size() < kMostNotifications) all.push_back(reader->take());
  return all;
}

std::string notifications_json(const std::vector<Notification>& notifications) {
  return list_json(notifications, [&](const Notification& each) {
    JsonObject json;
    json.text("package", each.package).text_or_null("title", each.title);
    json.text_or_null("text", each.text);
    if (each.big_text && each.big_text != each.text) json.text("bigText", *each.big_text);
    json.text("key", each.key).number("id", each.id);
    if (!each.tag.empty()) json.text("tag", each.tag);
    if (each.importance) json.number("importance", *each.importance);
    return json.boolean("ongoing", each.ongoing).strings("actions", each.actions);
  });
}

namespace {

constexpr int kShadeReads = 8;
constexpr auto kShadePause = std::chrono::milliseconds(250);  // 1.75 s in all, for it to slide
// Seven dumps of the shade, each up to 10 s (docs/internals/android.md), six swipes and a tap.
constexpr auto kClearLimit = std::chrono::milliseconds(90000);
constexpr int kShadeScrolls = 6;
constexpr int kListReads = 10;
constexpr auto kListPause = std::chrono::milliseconds(400);  // 3.6 s in all: they go one by one
constexpr std::string_view kSystemUi = "com.android.systemui";
// Android's own, then those of makers.
constexpr auto kClearButtons = std::to_array<std::string_view>(
    {"dismiss_text", "clear_all", "clear_all_button", "dismiss_view"});

Task<ShadeState> read_shade(adbproto::Device* device, int sdk) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, shade_state_line(sdk)));
  co_return parse_shade(printed.out);
}

Task<void> send_shade(adbproto::Device* device, std::string line, bool open) {
  CO_TRY(const CommandOutput done, co_await order_on_device(device, std::move(line)));
  const bool is_unknown = done.text().contains("nknown command");
  if (done.exit_status == 0 && trimmed(done.err).empty() && !is_unknown) co_return ok();
  const std::string_view what = open ? "the shade was not opened" : "the shade was not closed";
  co_return std::unexpected(co_await with_vendor_hint(device, refusal_error(what, done)));
}

bool is_pressable(const UiNode& node) {
  return node.package == kSystemUi && node.flags.enabled && node.flags.clickable;
}

bool has_clear_id(const UiNode& node) {
  const std::string_view id = node.resource_id;
  return id.starts_with("com.android.systemui:id/") &&
         std::ranges::find(kClearButtons, id.substr(id.rfind('/') + 1)) != kClearButtons.end();
}

// Whether its own label is "clear", outside of notifications: an app may call one "Clear all".
bool is_labelled_clear(const UiTree& tree, const UiNode& node) {
  if (ascii_lower(node.text) != "clear all" && ascii_lower(node.description) != "clear all") {
    return false;
  }
  if (node.resource_id.starts_with("android:id/")) return false;
  for (std::size_t up = node.parent; up != kNoNode; up = tree.nodes[up].parent) {
    const UiNode& around = tree.nodes[up];
    if (around.resource_id.ends_with(":id/expandableNotificationRow") ||
        around.resource_id.starts_with("android:id/status_bar_latest_event_content")) {
      return false;
    }
  }
  return true;
}

// The shade's own button by its id, else by its label.
std::optional<Point> find_clear_button(const UiTree& tree) {
  auto found = std::ranges::find_if(tree.nodes, [](const UiNode& node) {
    return node.package == kSystemUi && node.flags.enabled && has_clear_id(node);
  });
  if (found == tree.nodes.end()) {
    found = std::ranges::find_if(tree.nodes, [&](const UiNode& node) {
      return is_pressable(node) && is_labelled_clear(tree, node);
    });
  }
  if (found == tree.nodes.end()) return std::nullopt;
  const auto at = point_of(tree, static_cast<std::size_t>(found - tree.nodes.begin()));
  return at ? std::optional(*at) : std::nullopt;
}

// A finger from low to high in the middle of the list, not so low that the shade takes it for its
// own.
struct Stroke {
  Point from, to;
};
Stroke upwards(const UiTree& tree) {
  const int x = static_cast<int>(tree.screen.width / 2);
  const int height = static_cast<int>(tree.screen.height);
  return {{x, height * 7 / 10}, {x, height * 3 / 10}};
}

std::unexpected<Error> no_button(std::string_view why) {
  return fail(errc::unsupported,
              "No shell command clears notifications, and the shade's own button was not found: " +
                  std::string(why),
              ErrorMembers()
                  .text("hint", "open the notifications and read the screen by the shell backend")
                  .str());
}

// The button may stand below the last notification, which may be below the screen.
Task<void> press_clear_all(ShellHand* hand) {
  std::string last;
  for (int scrolls = 0; scrolls <= kShadeScrolls; ++scrolls) {
    CO_TRY(const Seen seen, co_await hand->look(true));
    if (!seen) co_return no_button(seen.error());
    const UiTree& tree = seen->tree;
    if (const auto button = find_clear_button(tree)) co_return co_await hand->tap(*button);
    if (main_package(tree) != kSystemUi) co_return no_button("the shade is not in front.");
    if (tree.hash == last) break;
    last = tree.hash;
    const Stroke stroke = upwards(tree);
    CO_TRY_VOID(co_await hand->swipe(stroke.from, stroke.to));
  }
  co_return no_button("it has none that is called \"Clear all\" or by the id that Android uses.");
}

bool has_key(const std::vector<Notification>& all, const std::string& key) {
  return std::ranges::find(all, key, &Notification::key) != all.end();
}

bool is_cleared(const std::vector<Notification>& before, const std::vector<Notification>& now) {
  return std::ranges::none_of(
      before, [&](const Notification& each) { return !each.ongoing && has_key(now, each.key); });
}

// Waits while notifications go one after the other; those that are left then stay.
Task<std::vector<Notification>> wait_cleared(adbproto::Device* device,
                                             const std::vector<Notification>* before) {
  for (int reads = 1;; ++reads) {
    CO_TRY(auto now, or_unknown_end(co_await list_notifications(device)));
    if (is_cleared(*before, now) || reads == kListReads) co_return now;
    co_await adbproto::sleep_for(kListPause);
  }
}

Task<std::vector<Notification>> press_and_list(ShellHand* hand, adbproto::Device* device,
                                               const std::vector<Notification>* before) {
  const auto pressed = co_await press_clear_all(hand);
  if (pressed) co_return co_await wait_cleared(device, before);
  const Error& why = pressed.error();
  if (why.code() != errc::unsupported) {
    co_return std::unexpected(unknown_end(published_shell_error(why)));
  }
  // The shade was opened or scrolled; no notification was touched.
  if (!order_has_left(co_await asio::this_coro::executor)) co_return std::unexpected(why);
  co_return std::unexpected(with_details(why, ErrorMembers().boolean("dispatchAttempted", true)));
}

// Closes the shade, and adds to the error where it may still be open. Many close by themselves.
asio::awaitable<Error> close_shade_after(adbproto::Device* device, Error error) {
  if (!order_has_left(co_await asio::this_coro::executor)) co_return error;
  const auto closed = co_await move_shade(device, Shade::closed);
  if (closed && *closed != ReadBack::unknown) co_return error;
  co_return with_details(error, ErrorMembers().boolean("shadeMayBeOpen", true));
}

Task<std::vector<Notification>> open_and_press(adbproto::Device* device,
                                               const std::vector<Notification>* before) {
  CO_TRY_VOID(co_await move_shade(device, Shade::open));
  ShellHand hand(device, {}, Clock::now() + kClearLimit, [](std::string_view) {});
  co_return co_await press_and_list(&hand, device, before);
}

// From here on nothing is cut short: the shade is put away after success and failure.
Task<std::vector<Notification>> press_in_shade(adbproto::Device* device,
                                               const std::vector<Notification>* before) {
  Result<std::vector<Notification>> after = std::vector<Notification>();
  try {
    after = co_await open_and_press(device, before);
  } catch (const std::exception&) {  // a cancellation comes as one, or as the error of a read
    after = fail(errc::cancelled, "cancelled");
  }
  const bool is_cut = adbproto::is_cancelled(co_await asio::this_coro::cancellation_state);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (!is_cut || after) co_return after;
  const Error cancelled(errc::cancelled, "cancelled");
  const bool was_ordered = order_has_left(co_await asio::this_coro::executor);
  co_return std::unexpected(was_ordered ? unknown_end(cancelled) : cancelled);
}

}  // namespace

Task<std::vector<Notification>> list_notifications(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, notifications_line()));
  co_return required(parse_notifications(printed.out), "list its notifications", printed);
}

Task<ReadBack> move_shade(adbproto::Device* device, Shade wanted) {
  const bool open = wanted != Shade::closed;
  const bool has_more = wanted == Shade::quick_settings;
  CO_TRY(const int sdk, co_await read_sdk(device));
  if (has_more && sdk < kQuickSettings) {
    co_return beyond_release("Before Android 8 no command opens the quick settings.", sdk);
  }
  CO_TRY(const ShadeState before, co_await read_shade(device, sdk));
  CO_TRY_VOID(judge_interactive(device->serial(), before.screen));
  const bool is_there = before.open == open;
  if (is_there && !has_more) co_return ReadBack::unchanged;
  CO_TRY_VOID(co_await send_shade(device, shade_line(sdk, wanted), open));
  if (is_there) co_return ReadBack::unknown;
  for (int reads = 0; reads < kShadeReads; ++reads) {
    if (reads > 0) co_await adbproto::sleep_for(kShadePause);
    CO_TRY(const ShadeState state, or_unknown_end(co_await read_shade(device, sdk)));
    if (!state.open) co_return ReadBack::unknown;
    if (*state.open == open) co_return ReadBack::changed;
  }
  co_return not_confirmed(
      open ? "Another window than the shade has the focus." : "The shade still has the focus.",
      device->serial(), ErrorMembers().boolean("open", !open));
}

Task<ClearedNotifications> clear_notifications(adbproto::Device* device) {
  CO_TRY(std::vector<Notification> before, co_await list_notifications(device));
  if (std::ranges::all_of(before, &Notification::ongoing)) {
    co_return ClearedNotifications{ReadBack::unchanged, {}, std::move(before)};
  }
  auto after = co_await press_in_shade(device, &before);
  if (!after) co_return std::unexpected(co_await close_shade_after(device, after.error()));
  ClearedNotifications done{ReadBack::changed, {}, *std::move(after)};
  for (const Notification& each : before) {
    if (!has_key(done.remaining, each.key)) done.cleared.push_back(each.key);
  }
  if (!done.cleared.empty()) {
    // A shade that stays open does not change the result.
    [[maybe_unused]] const auto closed = co_await move_shade(device, Shade::closed);
    co_return done;
  }
  ErrorMembers found;
  found.json("remaining", notifications_json(done.remaining));
  const std::unexpected<Error> nothing_gone = not_confirmed(
      "The shade's button was tapped, and no notification has gone.", device->serial(), found);
  co_return std::unexpected(co_await close_shade_after(device, nothing_gone.error()));
}

}  // namespace clawperator
