#include "base/utf8.hpp"

#include <algorithm>

namespace base {
namespace {

struct Lead {
  std::size_t length;                // of the whole sequence; 0: no lead byte
  unsigned char second_low = 0x80;   // bounds of the byte that follows: no overlong forms,
  unsigned char second_high = 0xbf;  // no surrogates, nothing above U+10FFFF
};

Lead classify(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {0};
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {0};
}

bool is_within(char32_t point, char32_t first, char32_t last) {
  return point >= first && point <= last;
}

struct CodePoints {
  char32_t first;
  char32_t last;
};
constexpr CodePoints kIgnorable[] = {
    {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},   {0x115f, 0x1160}, {0x17b4, 0x17b5},
    {0x180b, 0x180f},   {0x200b, 0x200f},   {0x202a, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
    {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0}, {0xfff0, 0xfff8}, {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool is_ignorable(char32_t point) {
  return std::ranges::any_of(kIgnorable, [point](const CodePoints& each) {
    return is_within(point, each.first, each.last);
  });
}

bool is_bidi_control(char32_t point) {
  return point == 0x061c || is_within(point, 0x200e, 0x200f) || is_within(point, 0x202a, 0x202e) ||
         is_within(point, 0x2066, 0x2069);
}

bool is_harmless(char32_t point) {
  if (point == U'\n' || point == U'\t') return true;
  if (point < 0x20 || is_within(point, 0x7f, 0x9f)) return false;
  const bool separates = is_within(point, 0x2028, 0x2029);
  return !separates && !is_bidi_control(point);
}

}  // namespace

char32_t code_point(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  char32_t point = lead & (0x7fU >> sequence.size());
  for (const char c : sequence.substr(1)) {
    point = (point << 6) | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return point;
}

bool acts_on_terminal(std::string_view sequence) {
  if (sequence.size() != 2 && sequence.size() != 3) return false;
  // The first byte decides quickly for most texts.
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (lead != 0xc2 && lead != 0xd8 && lead != 0xe2) return false;
  const char32_t point = code_point(sequence);
  return is_within(point, 0x80, 0x9f) || is_bidi_control(point);
}

std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const Lead lead = classify(at(0));
  if (lead.length > text.size()) return 0;
  if (lead.length < 2) return lead.length;
  if (at(1) < lead.second_low || at(1) > lead.second_high) return 0;
  for (std::size_t i = 2; i < lead.length; ++i)
    if (at(i) < 0x80 || at(i) > 0xbf) return 0;
  return lead.length;
}

std::size_t character_count(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins));
}

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_continuation = (byte & 0xc0) == 0x80;
    if (!is_continuation) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

std::string_view utf16_prefix(std::string_view text, std::size_t units) {
  std::size_t end = 0;
  for (std::size_t taken = 0; end < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, sequence_length(text.substr(end)));
    taken += length == 4 ? 2 : 1;
    if (taken > units) break;
    end += length;
  }
  return text.substr(0, end);
}

std::string valid_utf8(std::string_view text) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, ascii)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    out += length == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string harmless_text(std::string_view text, std::string_view instead) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const std::string_view sequence = text.substr(0, length);
    out += length != 0 && is_harmless(code_point(sequence)) ? sequence : instead;
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::string without_ignorable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(sequence_length(text), 1);
    const bool is_sequence = length > 1;
    if (!is_sequence || !is_ignorable(code_point(text.substr(0, length)))) {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace base
