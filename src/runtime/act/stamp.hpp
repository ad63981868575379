#pragma once
// What makes a generated command id unique: the time and seven random letters.

#include "base/prelude.hpp"

namespace clawperator::act {

struct Stamp {
  std::int64_t epoch_ms = 0;
  std::string suffix;  // [0-9a-z]{7}

  static Stamp now();

  // "click" -> "click-1700000000000-abcd123"
  [[nodiscard]] std::string long_id(std::string_view prefix) const;
  // "press_key" -> "press_key_1700000000000"
  [[nodiscard]] std::string short_id(std::string_view prefix) const;
};

}  // namespace clawperator::act
