#include "runtime/serve/apps_in_front.hpp"

namespace clawperator::serve {

void AppsInFront::note(const std::string& device, const std::string& package) {
  if (packages_.size() >= kMost && !packages_.contains(device)) packages_.erase(packages_.begin());
  packages_[device] = package;
}

std::string AppsInFront::of(const std::string& device) const {
  const auto found = packages_.find(device);
  return found == packages_.end() ? std::string() : found->second;
}

std::string app_after(std::string package, std::span<const Action> done) {
  for (const Action& action : done) {
    switch (action.type) {
      case ActionType::open_app: package = action.application_id.value_or(""); break;
      case ActionType::open_uri:
      case ActionType::close_app:
      case ActionType::press_key: package.clear(); break;
      default: break;
    }
  }
  return package;
}

}  // namespace clawperator::serve
