// Invariants: text made harmless is valid UTF-8 without a control character, no longer than before,
// and harmless already; making it valid first changes nothing.

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/utf8.hpp"

using namespace clawperator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string shown = harmless_text(text, "?");
  require(shown.size() <= text.size());
  require(std::ranges::none_of(shown, is_control));
  require(valid_utf8(shown) == shown);
  require(harmless_text(shown, "?") == shown);
  require(harmless_text(valid_utf8(text), "\xEF\xBF\xBD") == harmless_text(text, "\xEF\xBF\xBD"));
  return 0;
}
