#pragma once
// Printed text taken apart: what devices, programs and small files say, line by line. All views
// are into the text that was given.

#include <cstddef>
#include <string>
#include <string_view>

namespace clawperator {

// Without the blanks, tabs and line ends at both ends.
std::string_view trimmed(std::string_view text);

// The first line, trimmed; `text` loses it and its line feed.
std::string_view take_line(std::string_view* text);

// Up to the first CR or LF, at most `at_most` bytes.
std::string_view first_line(std::string_view text, std::size_t at_most = std::string_view::npos);

// The last `count` lines; a line feed at the end begins no further one.
std::string_view last_lines(std::string_view text, std::size_t count);

// The last `at_most` bytes.
std::string_view last_bytes(std::string_view text, std::size_t at_most);

}  // namespace clawperator
