#include "cli/pretty/grants_for_people.hpp"

#include "cli/pretty/people.hpp"

namespace clawperator::cli {
namespace {

std::string line(bool ok, std::string text, const std::optional<std::string>& remark) {
  text = (ok ? "  ok      " : "  FAILED  ") + text;
  if (remark) text += ": " + printable_name(*remark);
  return text + "\n";
}

std::string service_line(const ServiceGrant& grant, std::string name) {
  if (grant.already_enabled) name += " (was enabled)";
  return line(grant.ok, std::move(name), grant.error);
}

}  // namespace

std::string grants_for_people(const GrantReport& report) {
  const PermissionGrant& notification = report.notification;
  return service_line(report.accessibility, "accessibility service") +
         line(notification.ok,
              notification.skipped ? "notifications (not needed here)" : "notifications",
              notification.error) +
         service_line(report.notification_listener, "notification listener");
}

}  // namespace clawperator::cli
