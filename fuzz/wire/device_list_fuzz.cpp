// Invariants: no text crashes the parsers; every line they return has a serial and a state, and
// the parts of a line stand in it.

#include "adbproto/wire/smart_socket.hpp"

#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = as_text(fuzz::input(data, size));
  for (const auto& lines : {parse_devices(text), parse_devices_long(text)}) {
    if (!lines) continue;
    for (const auto& line : *lines) {
      fuzz::require(!line.serial.empty() && !line.state.empty());
      for (const auto& part : {line.serial, line.state, line.devpath, line.product, line.model}) {
        fuzz::require(text.contains(part));
      }
    }
  }
  return 0;
}
