#pragma once
// Base64 (RFC 4648, with padding).

#include "base/bytes.hpp"

namespace adbproto {

std::string encode_base64(ByteView bytes);

// nullopt for anything but whole groups of four.
std::optional<Bytes> decode_base64(std::string_view text);

}  // namespace adbproto
