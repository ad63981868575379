#include "adbproto/wire/base64.hpp"

#include <algorithm>

namespace adbproto {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Decodes one group of 1 to 3 bytes; nullopt if it is invalid.
std::optional<Bytes> decode_group(std::string_view group) {
  const std::size_t digits = std::min(group.find('='), group.size());
  if (group.size() != 4 || digits < 2) return std::nullopt;
  if (digits == 2 && group[3] != '=') return std::nullopt;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = i < digits ? kBase64.find(group[i]) : 0;
    if (value == kBase64.npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
  }
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < digits; ++i) bytes.push_back(std::byte(bits >> (16 - 8 * i)));
  return bytes;
}

}  // namespace

std::string encode_base64(ByteView bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group = group << 8 | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += i <= count ? kBase64[group >> (18 - 6 * i) & 63] : '=';
    }
  }
  return text;
}

std::optional<Bytes> decode_base64(std::string_view text) {
  Bytes bytes;
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(4, text.size()))) {
    const auto group = decode_group(text.substr(0, 4));
    if (!group || (group->size() < 3 && text.size() > 4)) return std::nullopt;
    append(bytes, *group);
  }
  return bytes;
}

}  // namespace adbproto
