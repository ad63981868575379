#include "base/js_string.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace base {
namespace {

// Beside U+0009..U+000D and the space.
constexpr auto kWideSpaces = std::to_array<std::string_view>({
    "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003", "\u2004",
    "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u2028",
    "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff",
});

std::size_t leading_space(std::string_view text) {
  if (text.empty()) return 0;
  if (text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r')) return 1;
  for (const std::string_view space : kWideSpaces)
    if (text.starts_with(space)) return space.size();
  return 0;
}

std::size_t trailing_space(std::string_view text) {
  if (text.empty()) return 0;
  if (text.back() == ' ' || (text.back() >= '\t' && text.back() <= '\r')) return 1;
  for (const std::string_view space : kWideSpaces)
    if (text.ends_with(space)) return space.size();
  return 0;
}

}  // namespace

std::string_view trim_js(std::string_view text) {
  while (const std::size_t n = leading_space(text)) text.remove_prefix(n);
  while (const std::size_t n = trailing_space(text)) text.remove_suffix(n);
  return text;
}

std::string single_spaced(std::string_view text) {
  std::string out;
  for (text = trim_js(text); !text.empty(); text.remove_prefix(1)) {
    const bool is_gap = leading_space(text) > 0;
    while (const std::size_t n = leading_space(text)) text.remove_prefix(n);
    if (is_gap) out += ' ';
    out += text.front();
  }
  return out;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = std::max<std::size_t>(1, sequence_length(text.substr(at)));
    char32_t point = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
      point = (point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
    if (point >= 0x10000) out += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
    out += static_cast<char16_t>(point >= 0x10000 ? 0xdc00 + (point & 0x3ff) : point);
    at += length;
  }
  return out;
}

}  // namespace base
