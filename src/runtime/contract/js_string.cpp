#include "runtime/contract/js_string.hpp"

#include <algorithm>
#include <array>

namespace clawperator {
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

std::size_t sequence_length(unsigned char lead) {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

}  // namespace

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_continuation = (byte & 0xc0) == 0x80;
    if (!is_continuation) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

std::string_view trim_js(std::string_view text) {
  while (const std::size_t n = leading_space(text)) text.remove_prefix(n);
  while (const std::size_t n = trailing_space(text)) text.remove_suffix(n);
  return text;
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = std::min(sequence_length(lead), text.size() - at);
    char32_t point = length == 1 ? lead : lead & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
      point = (point << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
    if (point >= 0x10000) out += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
    out += static_cast<char16_t>(point >= 0x10000 ? 0xdc00 + (point & 0x3ff) : point);
    at += length;
  }
  return out;
}

}  // namespace clawperator
