#include "usb_phone.hpp"

#include <asio/co_spawn.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>
#include <deque>
#include <future>
#include <stdexcept>
#include <utility>

#include "base/async/signal.hpp"
#include "simdroid/memory_stream.hpp"

namespace adbproto::testing {
namespace {

constexpr std::size_t kDevicePiece = 16 * 1024;  // adbd writes its payloads in such pieces

}  // namespace

// One talk, from CNXN to CNXN.
struct UsbPhone::Host {
  Host(const asio::any_io_executor& executor, ByteStreamPtr to)
      : link(std::move(to)), changed(executor) {}
  ByteStreamPtr link;
  Bytes from_host;
  bool over = false;
  Signal changed;
};

UsbPhone::UsbPhone(MockBus* bus, MockIdentity identity, simdroid::SimOptions options)
    : bus_(bus), identity_(std::move(identity)) {
  auto simulation = simdroid::Simulation::create(context_.get_executor(), options);
  if (!simulation) throw std::runtime_error(simulation.error().message());
  simulation_ = *std::move(simulation);
  thread_ = std::thread([this] {
    const auto guard = asio::make_work_guard(context_);
    context_.run();
  });
  plug();
}

UsbPhone::~UsbPhone() {
  unplug();
  std::promise<void> stopped;
  asio::post(context_, [&] {
    if (host_) host_->link->close();
    tasks_.cancel();
    asio::co_spawn(
        context_,
        [](UsbPhone* self) -> asio::awaitable<void> {
          co_await self->tasks_.join();
          co_await self->simulation_->stop();
        }(this),
        [&](const std::exception_ptr&) { stopped.set_value(); });
  });
  stopped.get_future().wait();
  context_.stop();
  thread_.join();
}

void UsbPhone::plug() {
  auto device = bus_->plug(identity_, [this](Bytes bytes) {
    asio::post(context_, [this, bytes = std::move(bytes)] { on_transfer(bytes); });
  });
  const std::lock_guard lock(mutex_);
  device_ = std::move(device);
}

void UsbPhone::unplug() {
  std::unique_lock lock(mutex_);
  const auto device = std::exchange(device_, nullptr);
  lock.unlock();
  if (device) bus_->unplug(device);
}

std::shared_ptr<MockDevice> UsbPhone::device() const {
  const std::lock_guard lock(mutex_);
  return device_;
}

void UsbPhone::leave_after(std::size_t bytes) { leave_at_ = counts_.sent + bytes; }

void UsbPhone::on_transfer(const Bytes& bytes) {
  counts_.received += bytes.size();
  if (mute_) return;
  if (empty_expected_ || bytes.empty()) {
    counts_.empty += bytes.empty() ? 1 : 0;
    counts_.out_of_step += bytes.empty() && empty_expected_ ? 0 : 1;
    if (std::exchange(empty_expected_, false) && bytes.empty()) return;
  }
  if (payload_left_ == 0) return on_header(bytes);
  if (bytes.size() > payload_left_) ++counts_.out_of_step;
  payload_left_ -= std::min(payload_left_, bytes.size());
  // A transfer that ends in the middle of a payload with less than a packet is a cut payload.
  if (payload_left_ > 0 && bytes.size() % identity_.packet_size != 0) ++counts_.out_of_step;
  empty_expected_ = payload_left_ == 0 && bytes.size() % identity_.packet_size == 0;
  if (!host_) return;
  append(host_->from_host, bytes);
  host_->changed.notify_all();
}

void UsbPhone::on_header(const Bytes& bytes) {
  const bool sized = bytes.size() == kPacketHeaderSize;
  const auto header =
      sized ? decode_packet_header(ByteView(bytes).first<kPacketHeaderSize>(), kMaxPayload)
            : fail(errc::protocol, "no header");
  if (!header) {
    ++counts_.out_of_step;
    return;
  }
  payload_left_ = header->payload_size;
  if (header->command == Command::connect) connect();
  if (header->command == Command::close) ++counts_.closes;
  if (!host_) return;
  append(host_->from_host, bytes);
  host_->changed.notify_all();
}

void UsbPhone::connect() {
  ++counts_.connects;
  if (host_) {
    host_->over = true;
    host_->link->close();
    host_->changed.notify_all();
  }
  auto [ours, theirs] = make_memory_pair(context_.get_executor(), 4 << 20);
  host_ = std::make_shared<Host>(context_.get_executor(), std::move(ours));
  simulation_->attach(std::move(theirs));
  tasks_.spawn(feed(host_));
  tasks_.spawn(answer(host_));
}

asio::awaitable<void> UsbPhone::feed(std::shared_ptr<Host> host) {
  while (!host->over) {
    if (host->from_host.empty()) {
      co_await host->changed.wait();
      continue;
    }
    const Bytes bytes = std::exchange(host->from_host, {});
    if (!co_await host->link->write_all(bytes)) co_return;
  }
}

asio::awaitable<void> UsbPhone::answer(std::shared_ptr<Host> host) {
  PacketReader packets;
  Bytes buffer(256 * 1024);
  while (!host->over) {
    const auto size = co_await host->link->read_some(buffer);
    if (!size) co_return;
    packets.feed(ByteView(buffer).first(*size));
    for (auto packet = packets.next(); packet && *packet; packet = packets.next()) {
      send_packet(**packet);
    }
  }
}

void UsbPhone::send_packet(const Packet& packet) {
  const auto header = encode_packet_header(packet.command, packet.arg0, packet.arg1, packet.payload,
                                           ChecksumRule::zero);
  send(Bytes(header.begin(), header.end()));
  for (ByteView left = packet.payload; !left.empty();) {
    const ByteView piece = left.first(std::min(left.size(), kDevicePiece));
    send(Bytes(piece.begin(), piece.end()));
    left = left.subspan(piece.size());
  }
}

void UsbPhone::send(Bytes bytes) {
  const auto device = this->device();
  if (!device) return;
  counts_.sent += bytes.size();
  if (counts_.sent >= leave_at_) return device->vanish();
  device->send(std::move(bytes));
}

}  // namespace adbproto::testing
