#pragma once
// Bytes that wait at the ends of a link, in pieces: small packets share a piece, a large payload is
// its own piece and is moved, never copied.

#include <algorithm>
#include <cstring>
#include <deque>

#include "base/bytes.hpp"

namespace adbproto {

inline constexpr std::size_t kLargePiece = 32 * 1024;

// The bytes that a stream's reader has not taken yet. Many tiny packets cost no more memory than
// the same bytes in large packets.
class Inbox {
 public:
  // Requires at least one byte.
  void add(Bytes&& payload) {
    const bool fits = !pieces_.empty() && pieces_.back().size() + payload.size() <= kLargePiece;
    if (fits) {
      append(pieces_.back(), payload);
    } else {
      pieces_.push_back(std::move(payload));
    }
  }

  // Returns the number of bytes copied into `into`.
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
  std::size_t front_taken_ = 0;  // bytes of the first piece that are already read
};

// The bytes on their way to the link. The last large buffer is kept for reuse.
class Outbox {
 public:
  void add(ByteView header, Bytes&& payload) {
    size_ += header.size() + payload.size();
    if (pieces_.empty() || pieces_.back().size() >= kLargePiece) pieces_.emplace_back();
    append(pieces_.back(), header);
    if (payload.size() < kLargePiece) {
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

  // A copy of `bytes`, in a used buffer if there is one.
  Bytes copy(ByteView bytes) {
    Bytes buffer = bytes.size() < kLargePiece ? Bytes() : std::exchange(spare_, {});
    buffer.assign(bytes.begin(), bytes.end());
    return buffer;
  }
  void give_back(Bytes&& buffer) {
    if (buffer.capacity() >= kLargePiece) spare_ = std::move(buffer);
  }

 private:
  std::vector<Bytes> pieces_;
  std::size_t size_ = 0;
  Bytes spare_;
};

}  // namespace adbproto
