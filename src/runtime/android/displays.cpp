#include "runtime/android/displays.hpp"

namespace clawperator {

bool names_several_displays(std::string_view screencap_err) {
  return screencap_err.find("Multiple displays were found") != std::string_view::npos;
}

std::string displays_line() { return "dumpsys display"; }

// DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, uniqueId='local:46198',
// ..}
std::optional<std::string> main_display(std::string_view text) {
  constexpr std::string_view kViewport = "DisplayViewport{";
  constexpr std::string_view kLocal = "uniqueId='local:";
  for (auto at = text.find(kViewport); at != text.npos; at = text.find(kViewport, at)) {
    at += kViewport.size();
    const std::string_view viewport = text.substr(at, text.find('}', at) - at);
    const auto id = viewport.find(kLocal);
    if (viewport.find("displayId=0,") == viewport.npos || id == viewport.npos) continue;
    const std::string_view rest = viewport.substr(id + kLocal.size());
    const std::string_view digits = rest.substr(0, rest.find_first_not_of("0123456789"));
    if (!digits.empty() && digits.size() <= 20) return std::string(digits);
  }
  return std::nullopt;
}

}  // namespace clawperator
