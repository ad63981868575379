#pragma once
// Actions on apps.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct OpenApp {
  std::optional<std::string> application_id{};
};

struct OpenUri {
  std::optional<std::string> uri{};
};

struct CloseApp {
  std::optional<std::string> application_id{};
};

}  // namespace clawperator
