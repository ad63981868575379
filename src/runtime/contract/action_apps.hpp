#pragma once
// Actions on apps.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct OpenApp {
  static const ActionRow kRow;
  std::optional<std::string> application_id{};
};

struct OpenUri {
  static const ActionRow kRow;
  std::optional<std::string> uri{};
};

struct CloseApp {
  static const ActionRow kRow;
  std::optional<std::string> application_id{};
};

}  // namespace clawperator
