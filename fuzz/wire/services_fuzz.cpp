// Invariants: a request taken apart names the same bytes; a service that passed the check holds
// none of the names that crash peers; quoting keeps every character; a shape exists for all.

#include "adbproto/wire/services.hpp"

#include "adbproto/wire/smart_socket.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto service = as_text(fuzz::input(data, size));
  if (const auto parts = parse_host_service(service)) {
    std::string again(parts->scope);
    if (!parts->target.empty()) again.append(":").append(parts->target);
    fuzz::require(again.append(":").append(parts->verb) == service);
  }
  if (check_service(service)) {
    fuzz::require(!service.starts_with("dev:") && !service.starts_with("dev-raw:"));
    fuzz::require(service != "spin" && service != "reverse:");
  }
  const auto quotes = static_cast<std::size_t>(std::ranges::count(service, '\''));
  fuzz::require(quote_for_shell(service).size() == size + 2 + 4 * quotes);
  reply_shape(service);
  return 0;
}
