#pragma once
// The limits of a peer: every buffer and every wait of a connection has its bound here.

#include "base/prelude.hpp"

namespace clawperator::http {

struct Limits {
  std::size_t header = std::size_t{16} * 1024;      // request line and headers
  std::size_t unconsumed = std::size_t{64} * 1024;  // a chunk's size line, or all trailers
  std::size_t body = 102400;
  std::size_t connections = 1100;              // open at once
  std::size_t connections_of_a_peer = 128;     // of one that is not this user
  std::chrono::milliseconds first_byte{5000};  // of a connection
  std::chrono::milliseconds header_time{10000};
  std::chrono::milliseconds body_time{30000};
  std::chrono::milliseconds idle{75000};        // between two requests
  std::chrono::milliseconds write_time{10000};  // for each 64 KiB of an answer
  std::chrono::milliseconds linger{2000};       // for the peer to read the last answer
};

}  // namespace clawperator::http
