#include "runtime/android/redacted_service.hpp"

#include <algorithm>

namespace clawperator {

std::string redacted_service(std::string_view service) {
  const auto extra = service.find("--es");
  std::string text(service.substr(0, extra));
  std::ranges::replace(text, '\0', ' ');
  if (extra == std::string_view::npos) return text;
  if (text.ends_with('\'')) text.pop_back();
  return text + "--es payload [REDACTED]";
}

}  // namespace clawperator
