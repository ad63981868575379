#pragma once
// The byte types of the protocol layers: views in, vectors out, little-endian loads and stores.

#include <bit>
#include <cstring>
#include <type_traits>

#include "base/prelude.hpp"

namespace base {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string_view as_text(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The form that the cryptographic libraries take.
inline const unsigned char* as_unsigned(ByteView bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

inline Bytes to_bytes(std::string_view text) {
  const ByteView view = as_bytes(text);
  return {view.begin(), view.end()};
}

inline void append(Bytes& to, ByteView bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

// Precondition: `from` holds at least sizeof(Integer) bytes.
template <class Integer>
  requires std::is_integral_v<Integer>
Integer load_le(const std::byte* from) {
  Integer value;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? value : std::byteswap(value);
}

template <class Integer>
  requires std::is_integral_v<Integer>
void store_le(std::byte* to, Integer value) {
  if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
  std::memcpy(to, &value, sizeof value);
}

template <class Integer>
  requires std::is_integral_v<Integer>
void append_le(Bytes& to, Integer value) {
  to.resize(to.size() + sizeof value);
  store_le(to.data() + to.size() - sizeof value, value);
}

}  // namespace base
