#pragma once
// Foreign text in a page: it stays text, whatever it says.

#include <span>
#include <string>
#include <string_view>

namespace clawperator {

// For content and for attribute values in double quotes. What is not harmless_text (base/utf8.hpp)
// becomes U+FFFD.
std::string escape_html(std::string_view text);

struct Place {
  std::string_view name;
  std::string_view content;  // HTML
};

// `frame` with each {{name}} replaced; content is not looked at again. Unknown names become empty.
std::string fill_places(std::string_view frame, std::span<const Place> places);

}  // namespace clawperator
