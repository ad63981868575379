#pragma once
// Bytes on their way to the link, in pieces: small packets share one, a large payload is a piece of
// its own and is moved, never copied. The last large buffer is kept to be filled again.

#include <cstddef>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace adbproto {

class Outbox {
 public:
  static constexpr std::size_t kLarge = 32 * 1024;

  void add(ByteView header, Bytes&& payload) {
    size_ += header.size() + payload.size();
    if (pieces_.empty() || pieces_.back().size() >= kLarge) pieces_.emplace_back();
    append(pieces_.back(), header);
    if (payload.size() < kLarge) {
      append(pieces_.back(), payload);
    } else {
      pieces_.push_back(std::move(payload));
    }
  }

  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  std::vector<Bytes> take() {
    size_ = 0;
    return std::exchange(pieces_, {});
  }

  // A copy of `bytes`, in a used buffer where there is one.
  Bytes copy(ByteView bytes) {
    Bytes buffer = bytes.size() < kLarge ? Bytes() : std::exchange(spare_, {});
    buffer.assign(bytes.begin(), bytes.end());
    return buffer;
  }
  void give_back(Bytes&& buffer) {
    if (buffer.capacity() >= kLarge) spare_ = std::move(buffer);
  }

 private:
  std::vector<Bytes> pieces_;
  std::size_t size_ = 0;
  Bytes spare_;
};

}  // namespace adbproto
