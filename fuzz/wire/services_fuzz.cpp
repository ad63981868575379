// Invariants: a service that passed the check holds none of the names that crash peers; quoting
// keeps every character.

#include "adbproto/wire/services.hpp"

#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto service = as_text(fuzz::input(data, size));
  if (check_service(service)) {
    fuzz::require(!service.starts_with("dev:") && !service.starts_with("dev-raw:"));
    fuzz::require(service != "spin" && service != "reverse:");
  }
  const auto quotes = static_cast<std::size_t>(std::ranges::count(service, '\''));
  fuzz::require(quote_for_shell(service).size() == size + 2 + 4 * quotes);
  return 0;
}
