#pragma once
// Typing a text into a field.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct EnterText {
  static const ActionRow kRow;
  std::optional<Selector> matcher{};
  std::optional<std::string> text{};
  std::optional<bool> submit{};
  std::optional<bool> clear{};
  bool secret = false;  // everything that is written of it has dots in place of the text
  std::optional<Selector> container{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

}  // namespace clawperator
