#include "runtime/ui/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace clawperator {
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

// Length of the well-formed sequence at the front, 0 if there is none.
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

}  // namespace

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

}  // namespace clawperator
