// The notifications, and the notification shade.
#include "runtime/host/verbs/notifications.hpp"

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/limited_task.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/screen_options.hpp"

namespace clawperator::cli {
namespace {

using Notifications = std::vector<Notification>;

std::string notifications_for_people(const Notifications& all) {
  std::vector<std::vector<std::string>> rows;
  for (const Notification& each : all) {
    rows.push_back({printable_name(each.package), printable_name(each.title.value_or("")),
                    printable_name(each.text.value_or("")), each.ongoing ? "ongoing" : ""});
  }
  return rows.empty() ? "no notifications\n" : table(rows);
}

Result<Answer> run_notifications_list(const Invocation& invocation) {
  TRY(const auto found,
      do_on_device<Notifications>(invocation.globals, "notifications list",
                                  [](auto* device) { return list_notifications(device); }));
  JsonObject json = verb_answer(found.device_id);
  json.json("notifications", notifications_json(found.value));
  return Answer{.json = json.str(), .text = notifications_for_people(found.value)};
}

Result<Answer> run_shade(const Invocation& invocation) {
  const bool open = second_word(*invocation.command) == "open";
  TRY(const auto screen, read_screen_options(invocation.arguments));
  TRY(const auto done,
      do_on_device<ReadBack>(
          invocation.globals, std::string(invocation.command->name),
          [open](auto* device) { return move_shade(device, open ? Shade::open : Shade::closed); }));
  JsonObject json = verb_answer(done.device_id, done.value);
  json.boolean("open", open).append(screen_after(invocation, done.device_id, screen));
  return Answer{json.str(), {}, {}, 0};
}

Result<Answer> run_notifications_clear(const Invocation& invocation) {
  TRY(const auto done,
      do_on_device<ClearedNotifications>(invocation.globals, "notifications clear",
                                         [](auto* device) { return clear_notifications(device); }));
  JsonObject json = verb_answer(done.device_id, done.value.effect);
  json.strings("cleared", done.value.cleared);
  json.json("remaining", notifications_json(done.value.remaining));
  return Answer{json.str(), {}, {}, 0};
}

constinit const Command kNotificationsList = {
    .name = "notifications list",
    .summary = "List the notifications with their texts",
    .details =
        "Lists them in the phone's order, with the titles of their buttons. \"ongoing\" is true\n"
        "if `clear` leaves the notification. Texts come from apps, at most 8 KiB each: a text\n"
        "that imitates the phone's own output cannot be distinguished from a notification. On\n"
        "Android 7 to 16.",
    .examples = "notifications list\n",
    .run = run_notifications_list};

constexpr Command shade_command(std::string_view name, std::string_view summary,
                                std::string_view examples) {
  return {.name = name,
          .summary = summary,
          .details = "The focused window confirms it. On Android 7 to 16.",
          .examples = examples,
          .options = kPlainScreenOptions,
          .run = run_shade};
}
constinit const Command kNotificationsOpen =
    shade_command("notifications open", "Open the notification shade", "notifications open\n");
constinit const Command kNotificationsClose =
    shade_command("notifications close", "Close the notification shade", "notifications close\n");

constinit const Command kNotificationsClear = {
    .name = "notifications clear",
    .summary = "Clear all notifications that can be cleared",
    .details =
        "No shell command clears notifications: the command opens the shade, finds and taps its\n"
        "button, and closes the shade. The lists before and after decide the result;\n"
        "\"remaining\" has the rest. On Android 7 to 16, if the button has Android's id or the\n"
        "text \"Clear all\".",
    .examples = "notifications clear\n",
    .run = run_notifications_clear};

constexpr std::array<const Command*, 4> kNotificationsSubcommands{
    &kNotificationsList, &kNotificationsOpen, &kNotificationsClose, &kNotificationsClear};

}  // namespace

constinit const Command kNotifications = {
    .name = "notifications",
    .usage = "list|open|close|clear",
    .summary = "List and clear notifications, open and close the shade",
    .details = "By the phone's own shell; no Operator app is needed.",
    .examples =
        "notifications list\n"
        "notifications clear\n",
    .subcommands = kNotificationsSubcommands};

}  // namespace clawperator::cli
