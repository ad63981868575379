#include "runtime/device/supervisor/held_device.hpp"

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>

#include "adbproto/wire/errc.hpp"
#include "base/async/signal.hpp"

namespace clawperator {

namespace {

// The connection is refused, so the server is gone, and with it the device. Any other failure is
// that of one connection.
bool is_server_gone(const Error& error) {
  return error.system_error() == ECONNREFUSED || error.system_error() == ENOENT;
}

// Shared by the device and its streams; written by lose().
struct Fate {
  explicit Fate(const asio::any_io_executor& executor) : lost_signal(executor) {}

  [[nodiscard]] Error judge(const Error& error) const {
    return lost ? Error(errc::link_lost, *lost) : error;
  }

  std::optional<std::string> lost;
  std::set<ByteStream*> streams;
  adbproto::Signal lost_signal;
};

class HeldStream final : public ByteStream {
 public:
  HeldStream(std::shared_ptr<Fate> fate, ByteStreamPtr stream)
      : fate_(std::move(fate)), stream_(std::move(stream)) {
    fate_->streams.insert(stream_.get());
  }
  ~HeldStream() override { fate_->streams.erase(stream_.get()); }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const auto fate = fate_;
    auto size = co_await stream_->read_some(into);
    if (!size) co_return std::unexpected(fate->judge(size.error()));
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override {
    const auto fate = fate_;
    auto written = co_await stream_->write_all(bytes);
    if (!written) co_return std::unexpected(fate->judge(written.error()));
    co_return ok();
  }
  void close() override { stream_->close(); }

 private:
  std::shared_ptr<Fate> fate_;
  ByteStreamPtr stream_;
};

class ServerHeldDevice final : public HeldDevice {
 public:
  ServerHeldDevice(const asio::any_io_executor& executor, std::unique_ptr<adbproto::Device> device)
      : HeldDevice(std::move(device)), fate_(std::make_shared<Fate>(executor)) {}

  Task<ByteStreamPtr> open(std::string service) override {
    const auto fate = fate_;
    if (fate->lost) co_return std::unexpected(Error(errc::link_lost, *fate->lost));
    auto stream = co_await inner()->open(std::move(service));
    if (!stream) {
      if (!fate->lost && is_server_gone(stream.error())) lose(stream.error().message());
      co_return std::unexpected(fate->judge(stream.error()));
    }
    if (fate->lost) co_return std::unexpected(Error(errc::link_lost, *fate->lost));
    co_return std::make_unique<HeldStream>(fate, *std::move(stream));
  }
  asio::awaitable<void> wait_lost() override {
    const auto fate = fate_;
    while (!fate->lost) co_await fate->lost_signal.wait();
  }

  void lose(std::string why) override {
    if (fate_->lost) return;
    fate_->lost = std::move(why);
    for (ByteStream* stream : fate_->streams) stream->close();
    fate_->lost_signal.notify_all();
  }
  [[nodiscard]] bool is_lost() const override { return fate_->lost.has_value(); }

 private:
  std::shared_ptr<Fate> fate_;
};

}  // namespace

std::shared_ptr<HeldDevice> HeldDevice::make(const asio::any_io_executor& executor,
                                             std::unique_ptr<adbproto::Device> device) {
  return std::make_shared<ServerHeldDevice>(executor, std::move(device));
}

}  // namespace clawperator
