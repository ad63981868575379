#include "runtime/serve/app_in_front.hpp"

namespace clawperator::serve {

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
