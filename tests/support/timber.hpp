#pragma once
// What the Operator's logger makes of one message: Android's Timber, written from its description.
//
//   fewer than 4000 UTF-16 units: one entry
//   else: one entry per line, lines above 4000 units in pieces of 4000; a cut surrogate pair
//   becomes two lone halves, each three bytes long

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clawperator::testing {

inline std::u16string to_utf16(std::string_view utf8) {
  std::u16string units;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(utf8[i + at]); };
    char32_t code = byte(0);
    std::size_t size = 1;
    if (code >= 0xf0) {
      code = (code & 7u) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 | (byte(3) & 63u);
      size = 4;
    } else if (code >= 0xe0) {
      code = (code & 15u) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u);
      size = 3;
    } else if (code >= 0xc0) {
      code = (code & 31u) << 6 | (byte(1) & 63u);
      size = 2;
    }
    i += size;
    if (code < 0x10000) {
      units += static_cast<char16_t>(code);
    } else {
      units += static_cast<char16_t>(0xd7c0 + (code >> 10));
      units += static_cast<char16_t>(0xdc00 + (code & 0x3ff));
    }
  }
  return units;
}

inline std::string to_utf8(std::u16string_view units) {
  std::string utf8;
  const auto put = [&](char32_t bits) { utf8 += static_cast<char>(bits); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    char32_t code = units[i];
    const bool pair = code >= 0xd800 && code < 0xdc00 && i + 1 < units.size() &&
                      units[i + 1] >= 0xdc00 && units[i + 1] < 0xe000;
    if (pair) code = 0x10000 + ((code - 0xd800) << 10 | (units[++i] - 0xdc00u));
    if (code < 0x80) {
      put(code);
    } else if (code < 0x800) {
      put(0xc0 | code >> 6), put(0x80 | (code & 63));
    } else if (code < 0x10000) {
      put(0xe0 | code >> 12), put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    } else {
      put(0xf0 | code >> 18), put(0x80 | (code >> 12 & 63));
      put(0x80 | (code >> 6 & 63)), put(0x80 | (code & 63));
    }
  }
  return utf8;
}

inline std::vector<std::string> timber_entries(std::string_view message) {
  constexpr std::size_t kLongest = 4000;
  const std::u16string text = to_utf16(message);
  if (text.size() < kLongest) return {std::string(message)};
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t newline = std::min(text.find(u'\n', i), text.size());
    do {
      const std::size_t end = std::min(newline, i + kLongest);
      entries.push_back(to_utf8(std::u16string_view(text).substr(i, end - i)));
      i = end;
    } while (i < newline);
  }
  return entries;
}

}  // namespace clawperator::testing
