// Invariant: a size has two sides, and a keyboard covers something, whatever the phone prints.

#include "runtime/engine/screen_size.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ScreenNow now = parse_screen_now(as_text(fuzz::input(data, size)));
  if (now.size) fuzz::require(now.size->width > 0 && now.size->height > 0);
  fuzz::require(now.keyboard == Bounds{} || !now.keyboard.is_empty());
  return 0;
}
