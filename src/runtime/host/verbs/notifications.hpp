#pragma once
// The notifications and the shade that shows them, by the phone's own shell.

#include <vector>

#include "runtime/host/verbs/notification_list.hpp"
#include "runtime/host/verbs/shell_verb.hpp"

namespace clawperator {

Task<std::vector<Notification>> list_notifications(adbproto::Device* device);

// Lets the shade down, or up again. Which window has the focus decides; device_not_interactive
// where the screen is off or locked, for there the focus tells nothing.
Task<Effect> move_shade(adbproto::Device* device, bool open);

struct ClearedNotifications {
  Effect effect = Effect::unknown;
  std::vector<std::string> cleared{};     // their keys
  std::vector<Notification> remaining{};  // what cannot be cleared, and what has come since
};

// No shell command clears notifications: the shade's own button does, as it is found in the tree of
// the screen. The lists before and after decide. unsupported where the shade has no such button.
Task<ClearedNotifications> clear_notifications(adbproto::Device* device);

}  // namespace clawperator
