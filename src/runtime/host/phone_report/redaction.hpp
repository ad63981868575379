#pragma once
// What must not leave a phone, taken out of its answers. Pure.

#include <string>
#include <string_view>
#include <vector>

namespace clawperator {

// The words that are taken out wherever they stand, and the package that may be named.
struct Secrets {
  std::vector<std::string> serials{};
  std::string operator_package{};
};

// Serial numbers become <serial>; the names in `UserInfo{0:NAME:c13}` and `displayName="..."` and
// services `app/class` of other apps become <...>; what is no printable text becomes `?`.
std::string redact(std::string_view text, const Secrets& secrets);

// The lines that hold one of the words.
std::string lines_with(std::string_view text, const std::vector<std::string_view>& words);

}  // namespace clawperator
