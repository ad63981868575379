// Invariants: no input crashes or recurses; a pattern inside a group, or as an alternative of
// itself without names, is as valid as on its own.

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
  const bool valid = is_js_regex(pattern);
  if (valid && !is_js_regex("(?:" + pattern + ")*")) std::abort();
  const bool names_groups = pattern.find("(?<") != pattern.npos;
  if (!names_groups && valid && !is_js_regex(pattern + "|" + pattern)) std::abort();
  return 0;
}
