#include "runtime/engine/observed_device.hpp"

#include "adbproto/wire/services.hpp"

namespace clawperator {

namespace {

class ObservedStream final : public ByteStream {
 public:
  ObservedStream(ByteStreamPtr stream, std::string service, ObservedDevice::Observer* observer)
      : stream_(std::move(stream)), service_(std::move(service)), observer_(observer) {}
  ~ObservedStream() override { observer_->on_closed(service_, base::micros_since(start_), bytes_); }
  ObservedStream(const ObservedStream&) = delete;
  ObservedStream& operator=(const ObservedStream&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    auto size = co_await stream_->read_some(into);
    bytes_ += size.value_or(0);
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return stream_->write_all(bytes); }
  [[nodiscard]] std::uint64_t sent() override { return stream_->sent(); }
  void close() override { stream_->close(); }

 private:
  ByteStreamPtr stream_;
  std::string service_;
  ObservedDevice::Observer* observer_;
  Clock::time_point start_ = Clock::now();
  std::size_t bytes_ = 0;
};

}  // namespace

bool is_dispatch(std::string_view service) {
  return service.contains("--es") || service == adbproto::shell_v2_raw("sh");
}

Task<ByteStreamPtr> ObservedDevice::open(std::string service) {
  Observer* observer = observer_;
  observer->on_open(service);
  auto stream = co_await inner()->open(service);
  observer->on_opened(service, stream ? nullptr : &stream.error());
  if (!stream) co_return stream;
  co_return std::make_unique<ObservedStream>(*std::move(stream), std::move(service), observer);
}

}  // namespace clawperator
