#include "simdroid/device/accessibility.hpp"

#include <algorithm>

#include "simdroid/device/phone.hpp"

namespace simdroid {
namespace {

constexpr auto kObserverDelay = std::chrono::milliseconds(20);
// The activity manager starts a process that died again after a second at the earliest.
constexpr auto kRestartDelay = std::chrono::milliseconds(1000);
constexpr int kRestrictsSettings = 34;

std::string_view package_of(std::string_view component) {
  return component.substr(0, component.find('/'));
}

}  // namespace

std::vector<std::string> listed_components(std::string_view list) {
  std::vector<std::string> components;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(':'), list.size());
    std::string component(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    const std::size_t slash = component.find('/');
    if (slash == std::string::npos) continue;
    if (component.substr(slash + 1).starts_with('.')) {
      component.insert(slash + 1, component.substr(0, slash));
    }
    if (std::ranges::find(components, component) == components.end()) {
      components.push_back(std::move(component));
    }
  }
  return components;
}

void Accessibility::reset() {
  notice_at_.reset();
  runs_from_.clear();
  const std::string list = phone_->settings.get("secure", kAccessibilityList);
  for (const std::string& component : listed_components(list)) runs_from_[component] = Time::min();
}

void Accessibility::changed() { notice_at_ = Clock::now() + kObserverDelay; }

void Accessibility::catch_up() {
  if (!notice_at_ || *notice_at_ > Clock::now()) return;
  notice_at_.reset();
  read_list();
}

bool Accessibility::may_run(std::string_view package) const {
  const Package* installed = phone_->packages->find(package);
  if (installed == nullptr) return false;
  const bool restricted =
      phone_->sdk() >= kRestrictsSettings && phone_->faults.active(Fault::restricted_settings);
  const auto op = installed->app_ops.find("ACCESS_RESTRICTED_SETTINGS");
  return !restricted || (op != installed->app_ops.end() && op->second == "allow");
}

void Accessibility::write_list(const std::vector<std::string>& components) {
  std::string list;
  for (const std::string& component : components) {
    list.append(list.empty() ? "" : ":").append(component);
  }
  (*phone_->settings.table("secure"))[std::string(kAccessibilityList)] = std::move(list);
}

// A service that starts ends its app's stopped state.
void Accessibility::start(const std::string& component, Time when) {
  runs_from_[component] = when;
  if (Package* package = phone_->packages->find(package_of(component))) package->stopped = false;
}

void Accessibility::read_list() {
  const std::string list = phone_->settings.get("secure", kAccessibilityList);
  std::vector<std::string> components = listed_components(list);
  std::erase_if(components, [&](const auto& each) { return !may_run(package_of(each)); });
  for (auto at = runs_from_.begin(); at != runs_from_.end();) {
    const bool listed = std::ranges::find(components, at->first) != components.end();
    at = listed ? std::next(at) : runs_from_.erase(at);
  }
  // A service that left the list and returned starts again, whatever prevented it before.
  const bool rebound =
      std::ranges::any_of(components, [&](const auto& each) { return !runs_from_.contains(each); });
  if (rebound) {
    for (const char* fault : {"accessibility-unbound", "package-stopped"}) {
      [[maybe_unused]] const auto cleared = phone_->faults.clear(fault);
    }
  }
  for (const std::string& component : components) {
    if (!runs_from_.contains(component)) start(component, Clock::now());
  }
  write_list(components);
}

void Accessibility::process_died(std::string_view package) {
  for (auto& [component, since] : runs_from_) {
    if (package_of(component) == package) since = Clock::now() + kRestartDelay;
  }
}

void Accessibility::was_suppressed() {
  catch_up();
  for (auto& [component, since] : runs_from_) since = Clock::now() + kRestartDelay;
}

void Accessibility::force_stopped(std::string_view package) {
  catch_up();
  const std::string list = phone_->settings.get("secure", kAccessibilityList);
  std::vector<std::string> components = listed_components(list);
  const auto erased =
      std::erase_if(components, [&](const auto& each) { return package_of(each) == package; });
  std::erase_if(runs_from_, [&](const auto& each) { return package_of(each.first) == package; });
  if (erased != 0) write_list(components);
}

std::vector<std::string> Accessibility::running() {
  catch_up();
  std::vector<std::string> components;
  if (phone_->settings.get("secure", kAccessibilitySwitch) != "1") return components;
  for (const auto& [component, since] : runs_from_) {
    if (since <= Clock::now()) components.push_back(component);
  }
  return components;
}

bool Accessibility::serves(std::string_view package) {
  catch_up();
  for (const Fault off :
       {Fault::accessibility_off, Fault::accessibility_unbound, Fault::ui_automation}) {
    if (phone_->faults.active(off)) return false;
  }
  const auto components = running();
  const OperatorNames* names = names_of_package(package);
  if (names == nullptr) return false;
  const std::string service = std::string(package) + "/" + names->service();
  return std::ranges::find(components, service) != components.end();
}

}  // namespace simdroid
