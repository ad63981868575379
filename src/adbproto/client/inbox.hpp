#pragma once
// What a stream's reader has not taken yet, in pieces: small packets share one, a large payload is
// a piece of its own and is moved. So a peer that sends a byte at a time costs no more memory than
// one that sends as many in large packets.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <deque>
#include <span>
#include <utility>

#include "base/bytes.hpp"

namespace adbproto {

class Inbox {
 public:
  static constexpr std::size_t kLarge = 32 * 1024;

  // Requires bytes.
  void add(Bytes&& payload) {
    const bool fits = !pieces_.empty() && pieces_.back().size() + payload.size() <= kLarge;
    if (fits) {
      append(pieces_.back(), payload);
    } else {
      pieces_.push_back(std::move(payload));
    }
  }

  // The number of bytes that were there, as far as there was room for them.
  std::size_t take(std::span<std::byte> into) {
    std::size_t size = 0;
    while (size < into.size() && !pieces_.empty()) {
      const Bytes& front = pieces_.front();
      const std::size_t part = std::min(into.size() - size, front.size() - front_taken_);
      std::memcpy(into.data() + size, front.data() + front_taken_, part);
      size += part;
      front_taken_ += part;
      if (front_taken_ < front.size()) break;
      pieces_.pop_front();
      front_taken_ = 0;
    }
    return size;
  }

  void clear() {
    pieces_.clear();
    front_taken_ = 0;
  }

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] std::size_t pieces() const { return pieces_.size(); }

 private:
  std::deque<Bytes> pieces_;
  std::size_t front_taken_ = 0;  // bytes of the first one that are handed out
};

}  // namespace adbproto
