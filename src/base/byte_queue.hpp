#pragma once
// The buffer of every incremental reader: bytes are appended at the end and consumed at the front,
// in amortised O(1).

#include "base/bytes.hpp"

namespace base {

class ByteQueue {
 public:
  void append(ByteView bytes) {
    if (start_ == buffer_.size()) clear();
    base::append(buffer_, bytes);
  }

  // Valid until the next append or consume.
  [[nodiscard]] ByteView view() const { return ByteView(buffer_).subspan(start_); }
  [[nodiscard]] std::size_t size() const { return buffer_.size() - start_; }
  [[nodiscard]] bool empty() const { return size() == 0; }

  // Requires count <= size().
  void consume(std::size_t count) {
    start_ += count;
    if (start_ == buffer_.size()) {
      clear();
    } else if (start_ > buffer_.size() / 2 && start_ > kCompactAbove) {
      buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(start_));
      start_ = 0;
    }
  }

  void clear() {
    buffer_.clear();
    start_ = 0;
  }

 private:
  static constexpr std::size_t kCompactAbove = 65536;

  Bytes buffer_;
  std::size_t start_ = 0;
};

}  // namespace base
