#pragma once
// A text for a field.

#include "runtime/contract/param.hpp"

namespace clawperator {

struct EnterText {
  std::optional<Selector> matcher{};
  std::optional<std::string> text{};
  std::optional<bool> submit{};
  std::optional<bool> clear{};
  bool secret = false;  // nobody is to read the text
  std::optional<Selector> container{};
  std::optional<Retry> retry{};
  std::optional<bool> strict{};
};

}  // namespace clawperator
