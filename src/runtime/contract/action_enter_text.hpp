#pragma once
// A text for a field.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct EnterText {
  static const ActionRow kRow;
  std::optional<Selector> matcher{};
  std::optional<std::string> text{};
  std::optional<bool> submit{};
  std::optional<bool> clear{};
  bool secret = false;  // dots stand for the text in all that is written of it
  std::optional<Selector> container{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

}  // namespace clawperator
