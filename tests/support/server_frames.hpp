#pragma once
// The adb server's side of the smart socket, for the servers that tests run.

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "adbproto/wire/smart_socket.hpp"

namespace adbproto::testing {

// Texts above 65535 bytes are cut.
inline Bytes encode_block(std::string_view text) {
  text = text.substr(0, kMaxSmartFrame);
  char length[5];
  std::snprintf(length, sizeof length, "%04zx", text.size());
  return to_bytes(length + std::string(text));
}
inline Bytes encode_okay() { return to_bytes("OKAY"); }
inline Bytes encode_fail(std::string_view message) {
  Bytes out = to_bytes("FAIL");
  append(out, encode_block(message));
  return out;
}

// The server's view of a client: a request is one block that is not empty.
class ServerRequestReader {
 public:
  void feed(ByteView bytes) { blocks_.feed(bytes); }
  Result<std::optional<std::string>> next() {
    TRY(auto request, blocks_.next());
    if (request && request->empty()) return fail(errc::protocol, "request of length 0");
    return request;
  }

 private:
  BlockReader blocks_;
};

}  // namespace adbproto::testing
