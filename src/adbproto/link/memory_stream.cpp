#include "adbproto/link/memory_stream.hpp"

#include <algorithm>

#include "adbproto/link/signal.hpp"
#include "base/byte_queue.hpp"

namespace adbproto {
namespace {

// One direction. Both ends hold it; either end may close it.
struct Pipe {
  Pipe(const asio::any_io_executor& executor, std::size_t limit)
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

using PipePtr = std::shared_ptr<Pipe>;

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(PipePtr in, PipePtr out) : in_(std::move(in)), out_(std::move(out)) {}
  ~MemoryStream() override { MemoryStream::close(); }
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const PipePtr in = in_;
    while (in->bytes.empty() && !in->closed && !closed_) co_await in->changed.wait();
    if (closed_ || in->bytes.empty()) co_return fail(errc::closed, "end of stream");
    const std::size_t size = std::min(into.size(), in->bytes.size());
    std::ranges::copy(in->bytes.view().first(size), into.begin());
    in->bytes.consume(size);
    in->changed.notify_all();
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const PipePtr out = out_;
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
  PipePtr in_;
  PipePtr out_;
  std::uint64_t sent_ = 0;
  bool closed_ = false;
};

}  // namespace

std::pair<ByteStreamPtr, ByteStreamPtr> make_memory_pair(const asio::any_io_executor& executor,
                                                         std::size_t capacity) {
  const auto there = std::make_shared<Pipe>(executor, capacity);
  const auto back = std::make_shared<Pipe>(executor, capacity);
  return {std::make_unique<MemoryStream>(back, there), std::make_unique<MemoryStream>(there, back)};
}

}  // namespace adbproto
