#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>
#include <umockdev.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <span>
#include <type_traits>
#include <utility>

#include "mock_model.hpp"

namespace adbproto::testing {
namespace {

constexpr auto kEmptyReapPause = 150;  // microseconds
constexpr std::uint8_t kIn = 0x80;

// Mirrors of the caller's memory, released with their owner.
struct DataRelease {
  void operator()(UMockdevIoctlData* data) const { g_object_unref(data); }
};
using DataPtr = std::unique_ptr<UMockdevIoctlData, DataRelease>;

}  // namespace

struct MockDevice::Model::Urb {
  UMockdevIoctlClient* client = nullptr;
  DataPtr mirror;
  DataPtr buffer;
  gulong address = 0;  // in the caller: what DISCARDURB names
  int type = 0;
  std::uint8_t endpoint = 0;
  int length = 0;
  int status = 0;
  Bytes reply;               // to be stored in the caller's buffer
  std::size_t reply_at = 0;  // behind a control transfer's setup packet
  int actual = 0;
};

namespace {

using Model = MockDevice::Model;

DataPtr resolve(UMockdevIoctlData* data, std::size_t offset, std::size_t size) {
  return DataPtr(umockdev_ioctl_data_resolve(data, offset, size, nullptr));
}

template <class Value>
Value load(const UMockdevIoctlData* data) {
  Value value{};
  const auto size = std::min(sizeof value, static_cast<std::size_t>(data->data_len));
  std::memcpy(&value, data->data, size);
  return value;
}

void update(UMockdevIoctlData* data, std::size_t offset, ByteView bytes) {
  Bytes copy(bytes.begin(), bytes.end());
  umockdev_ioctl_data_update(data, offset, reinterpret_cast<guint8*>(copy.data()),
                             static_cast<gint>(copy.size()));
}

template <class Value>
  requires(!std::is_convertible_v<Value, ByteView>)
void update(UMockdevIoctlData* data, std::size_t offset, Value value) {
  update(data, offset, std::as_bytes(std::span(&value, 1)));
}

Bytes string_descriptor(const std::string& text) {
  Bytes bytes{static_cast<std::byte>(2 + 2 * text.size()), std::byte{3}};
  for (const char c : text) append_le(bytes, static_cast<std::uint16_t>(c));
  return bytes;
}

}  // namespace

MockDevice::Model::Model(const MockIdentity& identity, unsigned number, OnOut on_out)
    : packet_size_(identity.packet_size),
      number_(number),
      serial_(identity.serial),
      on_out_(std::move(on_out)) {}
MockDevice::Model::~Model() = default;

gboolean MockDevice::Model::on_ioctl(UMockdevIoctlClient* client) {
  const Answer answer = handle(client);
  deliver();
  // Real time: without a pause libusb's thread would ask without end.
  if (answer.error == EAGAIN) ::usleep(kEmptyReapPause);
  umockdev_ioctl_client_complete(client, answer.result, answer.error);
  return TRUE;
}

std::size_t MockDevice::Model::waiting() const {
  return in_wait_.size() + out_wait_.size() + done_.size();
}

// Without the mutex: what is called may send.
void MockDevice::Model::deliver() {
  std::unique_lock lock(mutex);
  auto taken = std::exchange(taken_, {});
  const auto react = std::exchange(was_reset_, false) ? on_reset : nullptr;
  lock.unlock();
  for (Bytes& bytes : taken) on_out_(std::move(bytes));
  if (react) react();
}

void MockDevice::Model::on_vanished(UMockdevIoctlClient* client) {
  const std::lock_guard lock(mutex);
  if (owner_ == client) owner_ = nullptr;
  for (auto* queue : {&in_wait_, &out_wait_, &done_}) {
    std::erase_if(*queue, [&](const Urb& urb) { return urb.client == client; });
  }
}

Model::Answer MockDevice::Model::handle(UMockdevIoctlClient* client) {
  UMockdevIoctlData* argument = umockdev_ioctl_client_get_arg(client);
  const std::lock_guard lock(mutex);
  switch (umockdev_ioctl_client_get_request(client)) {
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY: return reap(client, argument);
    case USBDEVFS_SUBMITURB: return submit(client, argument);
    case USBDEVFS_DISCARDURB: return discard(argument);
    case USBDEVFS_GET_CAPABILITIES: return capabilities(argument);
    case USBDEVFS_CONNECTINFO: return connect_info(argument);
    case USBDEVFS_CONTROL: return get_configuration(argument);
    case USBDEVFS_GET_SPEED: return {packet_size_ == 1024 ? 5 : packet_size_ == 512 ? 3 : 2, 0};
    case USBDEVFS_CLAIMINTERFACE: return claim(client);
    case USBDEVFS_RELEASEINTERFACE:
      if (owner_ == client) owner_ = nullptr;
      return gone ? Answer{-1, ENODEV} : Answer{};
    case USBDEVFS_DISCONNECT_CLAIM:
    case USBDEVFS_IOCTL: ++counts.drivers_detached; return {-1, gone ? ENODEV : ENODATA};
    case USBDEVFS_SETCONFIGURATION: ++counts.configurations_set; return {};
    case USBDEVFS_CLEAR_HALT:
      ++counts.halts_cleared;
      halted_in = halted_out = false;
      return {};
    case USBDEVFS_RESET: return reset();
    default: return {-1, ENOTTY};
  }
}

Model::Answer MockDevice::Model::claim(UMockdevIoctlClient* client) {
  ++counts.claims;
  if (gone) return {-1, ENODEV};
  if (owner_ != nullptr && owner_ != client) return {-1, EBUSY};
  owner_ = client;
  return {};
}

Model::Answer MockDevice::Model::reset() {
  ++counts.resets;
  was_reset_ = true;
  halted_in = halted_out = false;
  finish_all(-ECONNRESET);
  return {};
}

// As the real dummy_hcd shows them, without mmap, which cannot be mocked.
Model::Answer MockDevice::Model::capabilities(UMockdevIoctlData* argument) {
  const DataPtr to = resolve(argument, 0, sizeof(guint32));
  if (!to) return {-1, EFAULT};
  update(to.get(), 0, static_cast<guint32>(0x1ff & ~USBDEVFS_CAP_MMAP));
  return {};
}

Model::Answer MockDevice::Model::connect_info(UMockdevIoctlData* argument) {
  const DataPtr to = resolve(argument, 0, sizeof(usbdevfs_connectinfo));
  if (!to) return {-1, EFAULT};
  update(to.get(), 0, usbdevfs_connectinfo{.devnum = number_, .slow = 0});
  return {};
}

Model::Answer MockDevice::Model::get_configuration(UMockdevIoctlData* argument) {
  const DataPtr transfer = resolve(argument, 0, sizeof(usbdevfs_ctrltransfer));
  if (!transfer) return {-1, EFAULT};
  const DataPtr to = resolve(transfer.get(), offsetof(usbdevfs_ctrltransfer, data), 1);
  if (!to) return {-1, EFAULT};
  update(to.get(), 0, static_cast<guint8>(1));
  return {1, 0};
}

Model::Answer MockDevice::Model::submit(UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  if (gone) return {-1, ENODEV};
  Urb urb;
  urb.client = client;
  urb.mirror = resolve(argument, 0, sizeof(usbdevfs_urb));
  if (!urb.mirror) return {-1, EFAULT};
  const auto* request = reinterpret_cast<const usbdevfs_urb*>(urb.mirror->data);
  urb.type = request->type;
  urb.endpoint = request->endpoint;
  urb.length = std::max(0, request->buffer_length);
  urb.address = urb.mirror->client_addr;
  const auto length = static_cast<std::size_t>(urb.length);
  if (in_flight() + length > memory_limit) return {-1, ENOMEM};
  if (length > 0) {
    urb.buffer = resolve(urb.mirror.get(), offsetof(usbdevfs_urb, buffer), length);
    if (!urb.buffer) return {-1, EFAULT};
  }
  ++counts.submits;
  if (urb.type == USBDEVFS_URB_TYPE_CONTROL) return control(std::move(urb));
  if (urb.type != USBDEVFS_URB_TYPE_BULK) return {-1, EINVAL};
  const bool is_in = (urb.endpoint & kIn) != 0;
  (is_in ? in_wait_ : out_wait_).push_back(std::move(urb));
  counts.most_in_flight = std::max(counts.most_in_flight, in_flight());
  settle();
  return {};
}

Model::Answer MockDevice::Model::control(Urb urb) {
  constexpr std::size_t kSetupSize = 8;
  const auto at = [&](std::size_t i) -> unsigned { return urb.buffer->data[i]; };
  const bool wants_string = at(0) == 0x80 && at(1) == 6 && at(3) == 3;
  urb.reply_at = kSetupSize;
  if (!wants_string) {
    urb.status = -EPIPE;
  } else if (at(2) == 0) {
    urb.reply = {std::byte{4}, std::byte{3}, std::byte{9}, std::byte{4}};
  } else {
    urb.reply = string_descriptor(at(2) == 3 ? serial_ : "mock");
  }
  urb.reply.resize(std::min<std::size_t>(urb.reply.size(), at(6) | at(7) << 8));
  urb.actual = static_cast<int>(urb.reply.size());
  done_.push_back(std::move(urb));
  return {};
}

Model::Answer MockDevice::Model::discard(UMockdevIoctlData* argument) {
  const auto address = load<gulong>(argument);
  for (auto* queue : {&in_wait_, &out_wait_}) {
    const auto at = std::ranges::find(*queue, address, &Urb::address);
    if (at == queue->end()) continue;
    at->status = -ENOENT;
    done_.push_back(std::move(*at));
    queue->erase(at);
    return {};
  }
  return {-1, EINVAL};
}

Model::Answer MockDevice::Model::reap(UMockdevIoctlClient* client, UMockdevIoctlData* argument) {
  settle();
  const auto at = std::ranges::find(done_, client, &Urb::client);
  if (at == done_.end()) return {-1, gone ? ENODEV : EAGAIN};
  const Urb urb = std::move(*at);
  done_.erase(at);
  if (!urb.reply.empty()) {
    update(urb.buffer.get(), urb.reply_at, ByteView(urb.reply));
  }
  update(urb.mirror.get(), offsetof(usbdevfs_urb, status), urb.status);
  update(urb.mirror.get(), offsetof(usbdevfs_urb, actual_length), urb.actual);
  const DataPtr slot = resolve(argument, 0, sizeof(gpointer));
  if (!slot) return {-1, EFAULT};
  umockdev_ioctl_data_set_ptr(slot.get(), 0, urb.mirror.get());
  return {};
}

// What can end ends.
void MockDevice::Model::settle() {
  while (!hang_writes && !halted_out && !out_wait_.empty()) {
    Urb urb = std::move(out_wait_.front());
    out_wait_.pop_front();
    urb.actual = urb.length;
    if (fail_out != 0) {
      urb.actual = 0;
      urb.status = -std::exchange(fail_out, 0);
      halted_out = urb.status == -EPIPE;
    } else {
      const auto* data =
          urb.buffer ? reinterpret_cast<const std::byte*>(urb.buffer->data) : nullptr;
      taken_.emplace_back(data, data + urb.actual);
    }
    done_.push_back(std::move(urb));
  }
  while (!halted_in && !in_wait_.empty() && (fail_in != 0 || !to_send.empty())) {
    Urb& urb = in_wait_.front();
    if (fail_in != 0) {
      urb.status = -std::exchange(fail_in, 0);
      halted_in = urb.status == -EPIPE;
    } else if (!fill(urb)) {
      break;
    }
    done_.push_back(std::move(urb));
    in_wait_.pop_front();
  }
}

// USB packets flow until the buffer is full or a short one ends the transfer; what follows whole
// packets goes on in the same one, as on the bus.
bool MockDevice::Model::fill(Urb& urb) {
  const auto room = static_cast<std::size_t>(urb.length);
  bool whole = false;
  while (!to_send.empty() && !whole) {
    Bytes& front = to_send.front();
    const std::size_t size = std::min(packet_size_, front.size());
    if (size > room - urb.reply.size()) {
      urb.status = -EOVERFLOW;
      break;
    }
    append(urb.reply, ByteView(front).first(size));
    front.erase(front.begin(), front.begin() + static_cast<std::ptrdiff_t>(size));
    if (front.empty()) to_send.pop_front();
    whole = size < packet_size_ || urb.reply.size() == room;
  }
  urb.actual = static_cast<int>(urb.reply.size());
  return whole || urb.status != 0;
}

void MockDevice::Model::finish_all(int status) {
  for (auto* queue : {&out_wait_, &in_wait_}) {
    for (Urb& urb : std::exchange(*queue, {})) {
      urb.status = status;
      done_.push_back(std::move(urb));
    }
  }
}

std::size_t MockDevice::Model::in_flight() const {
  std::size_t bytes = 0;
  for (const auto* queue : {&in_wait_, &out_wait_, &done_}) {
    for (const Urb& urb : *queue) bytes += static_cast<std::size_t>(urb.length);
  }
  return bytes;
}

}  // namespace adbproto::testing
