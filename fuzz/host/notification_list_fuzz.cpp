// What `dumpsys notification` prints, read. Invariants: what is read is a part of what was printed,
// and bounded.

#include "runtime/host/verbs/notifications.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto all = parse_notifications(text);
  if (!all) return 0;
  fuzz::require(all->size() <= kMostNotifications);
  for (const Notification& each : *all) {
    fuzz::require(!each.package.empty() && text.contains(each.package) && text.contains(each.key));
    fuzz::require(each.actions.size() <= kMostNotificationActions);
    for (const auto& part : {each.title, each.text, each.big_text}) {
      fuzz::require(!part || part->size() <= kMostNotificationText);
    }
    for (const std::string& action : each.actions) fuzz::require(text.contains(action));
  }
  fuzz::require(notifications_json(*all).starts_with('['));
  return 0;
}
