#pragma once
// The notifications as `dumpsys notification --noredact` prints them, and the shade that shows
// them, by the phone's own shell. An app writes its texts as it likes: one that imitates the dump's
// own lines cannot be distinguished from another record.

#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

// Android keeps 50 of each app (MAX_PACKAGE_NOTIFICATIONS); few apps have as many.
inline constexpr std::size_t kMostNotifications = 500;
inline constexpr std::size_t kMostNotificationText = 8192;  // bytes of one text; cut above
// The shade shows three (MAX_ACTION_BUTTONS); an app may set any number.
inline constexpr std::size_t kMostNotificationActions = 16;

struct Notification {
  std::string package{};
  std::string key{};  // Android's own name of it
  std::int64_t id = 0;
  std::string tag{};  // empty: none
  std::optional<std::int64_t> importance{};
  std::optional<std::string> title{}, text{}, big_text{};
  bool ongoing = false;                // stays when all are cleared
  std::vector<std::string> actions{};  // their titles

  bool operator==(const Notification&) const = default;
};

// In the phone's order. nullopt where the text is no such dump; the list's own heading is missing
// in a dump without notifications.
std::optional<std::vector<Notification>> parse_notifications(std::string_view dumpsys);

std::string notifications_json(const std::vector<Notification>& notifications);

Task<std::vector<Notification>> list_notifications(adbproto::Device* device);

// Opens or closes the shade. The window with the focus decides; device_not_interactive where the
// screen is off or locked, because the focus means nothing there. An open shade does not report
// whether it shows the quick settings. unsupported: quick_settings before Android 8.
Task<ReadBack> move_shade(adbproto::Device* device, Shade wanted);

struct ClearedNotifications {
  ReadBack effect = ReadBack::unknown;
  std::vector<std::string> cleared{};     // their keys
  std::vector<Notification> remaining{};  // those that cannot be cleared, and new ones
};

// No shell command clears notifications: the shade's own button does, as it is found in the tree of
// the screen. The lists before and after decide. unsupported where the shade has no such button.
Task<ClearedNotifications> clear_notifications(adbproto::Device* device);

}  // namespace clawperator
