#include "runtime/engine/service_list.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace clawperator {
namespace {

// A service's name has about 100 bytes: room for hundreds, where phones have a handful.
constexpr std::size_t kMaxList = 32 * 1024;

bool has_control_character(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

bool begins_listeners(std::string_view line) {
  return line.starts_with("All notification listeners") && line.contains("enabled");
}

}  // namespace

ServiceList parse_service_list(std::string_view printed) {
  printed = trimmed(printed);
  if (printed.empty() || printed == "null") return {};
  if (printed.size() > kMaxList) return {{}, "the device printed more than 32 KiB"};
  if (has_control_character(printed)) return {{}, "the device printed what is no list of services"};
  return {std::string(printed), {}};
}

bool lists_service(const ServiceList& list, std::string_view component) {
  return (":" + list.entries + ":").contains(":" + std::string(component) + ":");
}

ServiceListing service_listing(std::string_view printed, const std::string& operator_package) {
  const ServiceList list = parse_service_list(printed);
  if (list.problem) return ServiceListing::unknown;
  return lists_service(list, accessibility_component(operator_package)) ? ServiceListing::listed
                                                                        : ServiceListing::missing;
}

std::string with_entry(const ServiceList& list, std::string_view component) {
  return (list.entries.empty() ? "" : list.entries + ":") + std::string(component);
}

std::string without_entry(const ServiceList& list, std::string_view component) {
  std::string rest;
  std::string_view left = list.entries;
  while (!left.empty()) {
    const auto end = left.find(':');
    const std::string_view entry = left.substr(0, end);
    left = end == left.npos ? std::string_view{} : left.substr(end + 1);
    if (entry != component) rest.append(rest.empty() ? "" : ":").append(entry);
  }
  return rest;
}

std::optional<bool> grants_listener(std::string_view dumpsys, std::string_view component) {
  const std::string wanted = "ComponentInfo{" + std::string(component) + "}";
  bool has_listeners = false;
  bool inside = false;
  while (!dumpsys.empty()) {
    const std::string_view line = take_line(&dumpsys);
    if (inside && line == wanted) return true;
    inside = begins_listeners(line) || (inside && line.starts_with("ComponentInfo{"));
    has_listeners |= inside;
  }
  return has_listeners ? std::optional(false) : std::nullopt;
}

bool shows_ui_automation(std::string_view dumpsys) { return dumpsys.contains("Ui Automation["); }

}  // namespace clawperator
