#include "runtime/host/verbs/notifications.hpp"

#include <algorithm>

#include "adbproto/link/signal.hpp"
#include "base/text.hpp"
#include "runtime/android/shade_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/engine/by_shell/shell_hand.hpp"
#include "runtime/engine/by_shell/steps.hpp"
#include "runtime/engine/order_note.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/interactive.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {
namespace {

constexpr int kShadeLooks = 8;
constexpr auto kShadePause = std::chrono::milliseconds(250);
constexpr auto kClearLimit = std::chrono::milliseconds(90000);
constexpr int kShadeScrolls = 6;
constexpr int kListLooks = 10;
constexpr auto kListPause = std::chrono::milliseconds(400);
constexpr std::string_view kSystemUi = "com.android.systemui";
// Android's own, then those of makers.
constexpr auto kClearButtons = std::to_array<std::string_view>(
    {"dismiss_text", "clear_all", "clear_all_button", "dismiss_view"});

Task<ShadeState> look_at_shade(adbproto::Device* device) {
  CO_TRY(const CommandOutput printed, co_await run_on_device(device, shade_state_line()));
  co_return parse_shade(printed.out);
}

Task<void> send_shade(adbproto::Device* device, std::string line, bool open) {
  CO_TRY(const CommandOutput done, co_await order_on_device(device, std::move(line)));
  const bool is_unknown = done.text().contains("nknown command");
  if (done.exit_status == 0 && trimmed(done.err).empty() && !is_unknown) co_return ok();
  const std::string_view what = open ? "the shade was not opened" : "the shade was not closed";
  co_return std::unexpected(co_await with_vendor_hint(device, said_no(what, done)));
}

bool is_pressable(const UiNode& node) {
  return node.package == kSystemUi && node.flags.enabled && node.flags.clickable;
}

bool has_clear_id(const UiNode& node) {
  const std::string_view id = node.resource_id;
  return id.starts_with("com.android.systemui:id/") &&
         std::ranges::find(kClearButtons, id.substr(id.rfind('/') + 1)) != kClearButtons.end();
}

// Whether it says so itself, and is no part of a notification: an app may call one "Clear all".
bool says_clear(const UiTree& tree, const UiNode& node) {
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

// The shade's own button by its id, else by what it says.
std::optional<Point> find_clear_button(const UiTree& tree) {
  auto found = std::ranges::find_if(tree.nodes, [](const UiNode& node) {
    return node.package == kSystemUi && node.flags.enabled && has_clear_id(node);
  });
  if (found == tree.nodes.end()) {
    found = std::ranges::find_if(tree.nodes, [&](const UiNode& node) {
      return is_pressable(node) && says_clear(tree, node);
    });
  }
  if (found == tree.nodes.end()) return std::nullopt;
  const auto at = point_of(*found);
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
                  .text("hint",
                        "Look at the shade: clawperator notifications open; clawperator snapshot "
                        "--backend shell")
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

// They go one after the other. What is left then stays.
Task<std::vector<Notification>> wait_cleared(adbproto::Device* device,
                                             const std::vector<Notification>* before) {
  for (int looks = 1;; ++looks) {
    auto now = co_await list_notifications(device);
    if (!now) co_return std::unexpected(unknown_end(now.error()));
    if (is_cleared(*before, *now) || looks == kListLooks) co_return now;
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

// Puts the shade away, and says where it may be down still. Many close by themselves.
asio::awaitable<Error> close_and_tell(adbproto::Device* device, Error error) {
  if (!order_has_left(co_await asio::this_coro::executor)) co_return error;
  const auto closed = co_await move_shade(device, false);
  if (closed && *closed != Effect::unknown) co_return error;
  co_return with_details(error, ErrorMembers().boolean("shadeMayBeOpen", true));
}

Task<std::vector<Notification>> open_and_press(adbproto::Device* device,
                                               const std::vector<Notification>* before) {
  CO_TRY_VOID(co_await move_shade(device, true));
  ShellHand hand(device, {}, Clock::now() + kClearLimit, [](std::string_view) {});
  co_return co_await press_and_list(&hand, device, before);
}

// From here on nothing is cut short: the shade is put away, whatever became of it.
Task<std::vector<Notification>> press_in_shade(adbproto::Device* device,
                                               const std::vector<Notification>* before) {
  Result<std::vector<Notification>> after = std::vector<Notification>();
  try {
    after = co_await open_and_press(device, before);
  } catch (const std::exception&) {  // being cancelled comes as one, or as the error of a look
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
  auto all = parse_notifications(printed.out);
  if (all) co_return *std::move(all);
  co_return fail(errc::device_shell_unavailable,
                 "the device does not list its notifications: " + one_message(printed.text()));
}

Task<Effect> move_shade(adbproto::Device* device, bool open) {
  CO_TRY(const int sdk, co_await ask_sdk(device));
  CO_TRY(const ShadeState before, co_await look_at_shade(device));
  CO_TRY_VOID(judge_interactive(device->serial(), before.screen));
  if (before.open == open) co_return Effect::unchanged;
  CO_TRY_VOID(co_await send_shade(device, shade_line(sdk, open), open));
  for (int looks = 0; looks < kShadeLooks; ++looks) {
    if (looks > 0) co_await adbproto::sleep_for(kShadePause);
    const auto state = co_await look_at_shade(device);
    if (!state) co_return std::unexpected(unknown_end(state.error()));
    if (!state->open) co_return Effect::unknown;
    if (*state->open == open) co_return Effect::changed;
  }
  co_return not_confirmed(
      open ? "Another window than the shade has the focus." : "The shade still has the focus.",
      device->serial(), ErrorMembers().boolean("open", !open));
}

Task<ClearedNotifications> clear_notifications(adbproto::Device* device) {
  CO_TRY(std::vector<Notification> before, co_await list_notifications(device));
  if (std::ranges::all_of(before, &Notification::ongoing)) {
    co_return ClearedNotifications{Effect::unchanged, {}, std::move(before)};
  }
  auto after = co_await press_in_shade(device, &before);
  if (!after) co_return std::unexpected(co_await close_and_tell(device, after.error()));
  ClearedNotifications done{Effect::changed, {}, *std::move(after)};
  for (const Notification& each : before) {
    if (!has_key(done.remaining, each.key)) done.cleared.push_back(each.key);
  }
  if (!done.cleared.empty()) {
    // One that stays open is no reason to tell nothing.
    [[maybe_unused]] const auto closed = co_await move_shade(device, false);
    co_return done;
  }
  ErrorMembers found;
  found.json("remaining", notifications_json(done.remaining));
  const std::unexpected<Error> nothing_gone = not_confirmed(
      "The shade's button was tapped, and no notification has gone.", device->serial(), found);
  co_return std::unexpected(co_await close_and_tell(device, nothing_gone.error()));
}

}  // namespace clawperator
