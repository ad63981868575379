#pragma once
// Waiting.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct WaitForNode {
  static const ActionRow kRow;
  std::optional<Selector> matcher{};
  std::optional<Selector> container{};
  std::optional<double> timeout_ms{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

struct WaitForNavigation {
  static const ActionRow kRow;
  std::optional<std::string> expected_package{};
  std::optional<Selector> expected_node{};
  std::optional<double> timeout_ms{};
};

struct Sleep {
  static const ActionRow kRow;
  std::optional<double> duration_ms{};
};

}  // namespace clawperator
