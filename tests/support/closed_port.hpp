#pragma once
// A TCP port of this machine at which no program listens, and none can begin to while this lives.

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <cstdint>
#include <string>

namespace adbproto::testing {

class ClosedPort {
 public:
  [[nodiscard]] std::uint16_t port() const { return held_.local_endpoint().port(); }
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port()); }

 private:
  asio::io_context context_;
  // Bound, and it never listens: what connects is refused.
  asio::ip::tcp::socket held_{context_, {asio::ip::address_v4::loopback(), 0}};
};

}  // namespace adbproto::testing
