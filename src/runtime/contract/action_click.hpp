#pragma once
// A click on a node or a point.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct Click {
  static const ActionRow kRow;
  std::optional<Selector> matcher{};
  std::optional<Coordinate> coordinate{};
  std::optional<std::string> click_type{};
  std::optional<Selector> container{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

}  // namespace clawperator
