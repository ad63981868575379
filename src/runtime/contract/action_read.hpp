#pragma once
// Reading the texts of a screen.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct ReadText {
  static const ActionRow kRow;
  std::optional<Selector> matcher{};
  std::optional<Selector> container{};
  std::optional<bool> all{};
  std::optional<std::string> validator{};
  std::optional<std::string> validator_pattern{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

// The value beside a label.
struct ReadValue {
  static const ActionRow kRow;
  std::optional<Selector> label_matcher{};
  std::optional<bool> all{};
  std::optional<Retry> retry{};
};

}  // namespace clawperator
