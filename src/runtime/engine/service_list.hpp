#pragma once
// Lists of services as Android keeps and prints them, and the Operator's own in them. Pure.

#include "runtime/contract/operator_app.hpp"

namespace clawperator {

// The secure setting of the accessibility services that the system may run. It is the system's own
// list as well: a force-stop takes the app's services off it.
inline constexpr std::string_view kAccessibilityList = "enabled_accessibility_services";

// One list of services in the device's settings: "a/b:c/d".
struct ServiceList {
  std::string entries{};
  std::optional<std::string> problem{};  // why it cannot be read, and so must not be written
};

// The value of a setting as `settings get` prints it. What cannot be a list of services (control
// characters, more than 32 KiB) is a problem.
ServiceList parse_service_list(std::string_view printed);
// Whether the system means to run the Operator's accessibility service.
enum class ServiceListing : std::uint8_t { unknown, listed, missing };

// Reads what the device printed for kAccessibilityList; unknown when that cannot be read.
ServiceListing service_listing(std::string_view printed, const std::string& operator_package);

bool lists_service(const ServiceList& list, std::string_view component);
std::string with_entry(const ServiceList& list, std::string_view component);
std::string without_entry(const ServiceList& list, std::string_view component);

// Whether `dumpsys notification` lists the component among the notification listeners that are
// enabled for the users in front. nullopt: it has no list of listeners.
//
//     All notification listeners (1) enabled for current profiles:
//       ComponentInfo{com.x/com.x.Listener}
std::optional<bool> grants_listener(std::string_view dumpsys, std::string_view component);

// Whether `dumpsys accessibility` shows a client of UiAutomation (uiautomator, Appium, Maestro):
// while it is connected, no accessibility service runs.
bool shows_ui_automation(std::string_view dumpsys);

}  // namespace clawperator
