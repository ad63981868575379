#pragma once
// A pair of byte streams, connected in memory: each side reads the other's writes.

#include <algorithm>
#include <asio/any_io_executor.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "base/async/byte_stream.hpp"
#include "base/async/signal.hpp"
#include "base/byte_queue.hpp"

namespace adbproto {

// One direction. Both ends hold it; either end may close it.
struct MemoryPipe {
  MemoryPipe(const asio::any_io_executor& executor, std::size_t limit)
      : capacity(limit), changed(executor) {}

  void close() {
    closed = true;
    changed.notify_all();
  }

  std::size_t capacity;
  ByteQueue bytes;
  bool closed = false;
  Signal changed;
};

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(std::shared_ptr<MemoryPipe> in, std::shared_ptr<MemoryPipe> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() override { MemoryStream::close(); }
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const std::shared_ptr<MemoryPipe> in = in_;
    while (in->bytes.empty() && !in->closed && !closed_) co_await in->changed.wait();
    if (closed_ || in->bytes.empty()) co_return fail(errc::closed, "end of stream");
    const std::size_t size = std::min(into.size(), in->bytes.size());
    std::ranges::copy(in->bytes.view().first(size), into.begin());
    in->bytes.consume(size);
    in->changed.notify_all();
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const std::shared_ptr<MemoryPipe> out = out_;
    while (!bytes.empty()) {
      while (out->bytes.size() >= out->capacity && !out->closed) co_await out->changed.wait();
      if (out->closed) co_return fail(errc::closed, "peer closed the stream");
      const std::size_t size = std::min(bytes.size(), out->capacity - out->bytes.size());
      out->bytes.append(bytes.first(size));
      out->changed.notify_all();
      sent_ += size;
      bytes = bytes.subspan(size);
    }
    co_return ok();
  }

  [[nodiscard]] std::uint64_t sent() override { return sent_; }

  void close() override {
    closed_ = true;
    in_->close();
    out_->close();
  }

 private:
  std::shared_ptr<MemoryPipe> in_;
  std::shared_ptr<MemoryPipe> out_;
  std::uint64_t sent_ = 0;
  bool closed_ = false;
};

// A writer waits while `capacity` bytes are unread. Closing one side ends the other after it has
// read the rest.
inline std::pair<ByteStreamPtr, ByteStreamPtr> make_memory_pair(
    const asio::any_io_executor& executor, std::size_t capacity = 64 * 1024) {
  const auto there = std::make_shared<MemoryPipe>(executor, capacity);
  const auto back = std::make_shared<MemoryPipe>(executor, capacity);
  return {std::make_unique<MemoryStream>(back, there), std::make_unique<MemoryStream>(there, back)};
}

}  // namespace adbproto
