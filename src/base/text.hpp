#pragma once
// Parses text from devices, programs and small files. All views are into the given text; letters
// and digits are ASCII's, independent of the locale.

#include "base/prelude.hpp"

namespace base {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lower_char(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_letter(char c) { return lower_char(c) >= 'a' && lower_char(c) <= 'z'; }
constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }
std::string ascii_lower(std::string_view text);

// 'text', for a message.
std::string in_quotes(std::string_view text);

// Without blanks, tabs and line ends on both sides, or only at the end.
inline constexpr std::string_view kBlanks = " \t\r\n";
std::string_view trimmed(std::string_view text);
std::string_view trimmed_end(std::string_view text, std::string_view blanks = kBlanks);

// The parts between the separators, including empty ones.
std::vector<std::string_view> split(std::string_view text, char separator);

// Joins with ", ": "a, b".
std::string joined(std::span<const std::string> texts, std::string_view between);

// Replaces each `mark` by `value`.
std::string replaced(std::string_view text, std::string_view mark, std::string_view value);

// For a URI (RFC 3986): %XX for all but the unreserved characters and those of `also_kept`.
std::string percent_encoded(std::string_view text, std::string_view also_kept = {});

// Keeps the characters for which `keeps` is true. A run of others between them becomes one `gap`.
template <class Keeps>
std::string with_gaps(std::string_view text, char gap, Keeps keeps) {
  std::string kept;
  bool is_gap = false;
  for (const char c : text) {
    if (keeps(c)) {
      if (is_gap && !kept.empty()) kept += gap;
      kept += c;
    }
    is_gap = !keeps(c);
  }
  return kept;
}

// True if it is one of `words`, a list separated by blanks.
constexpr bool is_one_of(std::string_view word, std::string_view words) {
  if (word.empty()) return false;
  for (;;) {
    const auto end = words.find(' ');
    if (words.substr(0, end) == word) return true;
    if (end == words.npos) return false;
    words.remove_prefix(end + 1);
  }
}

// True for exactly this many lower-case hex digits.
bool is_hex(std::string_view text, std::size_t digits);

// The first line, trimmed; it is removed from `text` with its line feed.
std::string_view take_line(std::string_view* text);

// Up to the first CR or LF, at most `at_most` bytes.
std::string_view first_line(std::string_view text, std::size_t at_most = std::string_view::npos);

// The last `count` lines; a final line feed begins no further line.
std::string_view last_lines(std::string_view text, std::size_t count);

// The last `at_most` bytes.
std::string_view last_bytes(std::string_view text, std::size_t at_most);

}  // namespace base
