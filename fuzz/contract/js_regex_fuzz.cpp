// Invariants: no input crashes; a text with a backslash before each ASCII sign is a valid pattern.

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "runtime/contract/js_regex.hpp"

using namespace clawperator;

namespace {

// Each byte as the code point of the same number, so that every input is well-formed.
std::string utf8_of_latin1(const std::uint8_t* data, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] >= 0x80) out += static_cast<char>(0xc0 | (data[i] >> 6));
    out += static_cast<char>(data[i] < 0x80 ? data[i] : 0x80 | (data[i] & 0x3f));
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string pattern = utf8_of_latin1(data, size);
  is_js_regex(pattern);
  std::string escaped;
  for (const char c : pattern) {
    if (std::ispunct(static_cast<unsigned char>(c)) != 0) escaped += '\\';
    escaped += c;
  }
  if (!is_js_regex(escaped)) std::abort();
  return 0;
}
