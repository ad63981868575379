#include "simdroid/operator/log_record.hpp"

#include <cstdint>
#include <utility>

#include "base/utf8.hpp"

namespace simdroid {
namespace {

// A lone surrogate in the three bytes that the device's string conversion gives it.
std::string surrogate_bytes(std::uint32_t surrogate) {
  return {static_cast<char>(0xe0 | surrogate >> 12),
          static_cast<char>(0x80 | (surrogate >> 6 & 0x3f)),
          static_cast<char>(0x80 | (surrogate & 0x3f))};
}

// Pieces of at most kMaxLogMessage units; an empty line is one empty piece.
void split_line(std::string_view line, std::vector<std::string>& pieces) {
  std::string piece;
  std::size_t units = 0;
  const auto cut = [&] { pieces.push_back(std::exchange(piece, {})), units = 0; };
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = std::max<std::size_t>(1, sequence_length(line.substr(i)));
    const std::string_view character = line.substr(i, length);
    i += character.size();
    if (units == kMaxLogMessage) cut();
    if (character.size() < 4) {
      piece += character;
      ++units;
      continue;
    }
    if (units + 2 <= kMaxLogMessage) {
      piece += character;
      units += 2;
      continue;
    }
    std::uint32_t code = static_cast<unsigned char>(character[0]) & 0x07u;
    for (const char c : character.substr(1))
      code = code << 6 | (static_cast<unsigned char>(c) & 0x3fu);
    code -= 0x10000;
    piece += surrogate_bytes(0xd800 + (code >> 10 & 0x3ff));
    cut();
    piece = surrogate_bytes(0xdc00 + (code & 0x3ff));
    units = 1;
  }
  cut();
}

}  // namespace

std::vector<std::string> split_log_message(std::string_view message) {
  std::vector<std::string> pieces;
  if (utf16_length(message) < kMaxLogMessage) return {std::string(message)};
  while (true) {
    const std::size_t newline = message.find('\n');
    split_line(message.substr(0, newline), pieces);
    // A break at the very end opens no further line.
    if (newline == std::string_view::npos || newline + 1 == message.size()) return pieces;
    message.remove_prefix(newline + 1);
  }
}

}  // namespace simdroid
