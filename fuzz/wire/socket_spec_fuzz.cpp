// Invariants: what is understood fits an address (a port, or a name without NUL inside), and a tcp
// spec written again means the same.

#include "adbproto/wire/services.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto spec = parse_socket_spec(as_text(fuzz::input(data, size)));
  if (!spec) return 0;
  if (spec->kind == SocketSpec::Kind::local) {
    fuzz::require(spec->host.empty() && spec->port == 0 && spec->path.size() > 0);
    fuzz::require(spec->path.find('\0', 1) == std::string::npos);
    return 0;
  }
  const std::string host = spec->host.empty() ? "" : "[" + spec->host + "]:";
  fuzz::require(parse_socket_spec("tcp:" + host + std::to_string(spec->port)) == spec);
  return 0;
}
