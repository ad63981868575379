#include "simdroid/adbd/device_link.hpp"

#include <algorithm>

#include "adbproto/wire/packet.hpp"

namespace simdroid {
namespace {

constexpr Fault kLinkFaults[] = {Fault::link_cut, Fault::link_stall, Fault::link_hostile_length,
                                 Fault::link_garbage};

std::optional<Fault> active_fault(const Faults& faults) {
  for (const Fault fault : kLinkFaults) {
    if (faults.active(fault)) return fault;
  }
  return std::nullopt;
}

std::string_view fault_name(Fault fault) {
  for (const FaultRow& row : fault_table()) {
    if (row.fault == fault) return row.name;
  }
  return "";
}

// A cut or a silence may begin at any byte, a fake packet only between packets.
bool comes_anywhere(Fault fault) { return fault == Fault::link_cut || fault == Fault::link_stall; }

Bytes hostile_header() {
  Bytes header;
  const auto command = static_cast<std::uint32_t>(Command::write);
  for (const std::uint32_t word : {command, 1u, 1u, 0xffffffffu, 0u, command ^ 0xffffffffu}) {
    append_le(header, word);
  }
  return header;
}

}  // namespace

Task<std::size_t> DeviceLink::read_some(std::span<std::byte> into) {
  co_return co_await inner_->read_some(into);
}

void DeviceLink::close() { inner_->close(); }

// The offsets after every CLSE; remembers a payload that continues in the next write.
std::vector<std::size_t> DeviceLink::follow_packets(ByteView bytes) {
  std::vector<std::size_t> closes;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t payload = std::min(payload_left_, bytes.size() - at);
    payload_left_ -= payload;
    at += payload;
    if (bytes.size() - at < kPacketHeaderSize) break;
    const auto command = Command{load_le<std::uint32_t>(&bytes[at])};
    payload_left_ = load_le<std::uint32_t>(&bytes[at + 12]);
    at += kPacketHeaderSize;
    if (command == Command::close) closes.push_back(at);
  }
  return closes;
}

Bytes DeviceLink::doubled(ByteView bytes, const std::vector<std::size_t>& closes) {
  Bytes result;
  std::size_t begin = 0;
  for (const std::size_t end : closes) {
    append(result, bytes.subspan(begin, end - begin));
    append(result, bytes.subspan(end - kPacketHeaderSize, kPacketHeaderSize));
    begin = end;
  }
  append(result, bytes.subspan(begin));
  return result;
}

Task<void> DeviceLink::write_all(ByteView bytes) {
  const Faults& faults = phone_->faults;
  if (silent_) co_return ok();
  if (faults.active(Fault::link_slow)) {
    co_await sleep_for(std::chrono::milliseconds(faults.number(Fault::link_slow)));
  }
  const auto closes = follow_packets(bytes);
  Bytes kept;
  if (closes_ == CloseCount::twice && !closes.empty()) {
    kept = doubled(bytes, closes);
    bytes = kept;
  }
  const auto fault = active_fault(faults);
  if (fault != counting_) {
    counting_ = fault;
    countdown_ = fault ? static_cast<std::size_t>(faults.number(*fault)) : 0;
  }
  if (fault && bytes.size() >= countdown_ && (comes_anywhere(*fault) || payload_left_ == 0)) {
    co_return co_await write_until_fault(bytes, *fault, countdown_);
  }
  countdown_ -= std::min(countdown_, bytes.size());
  co_return co_await inner_->write_all(bytes);
}

Task<void> DeviceLink::write_until_fault(ByteView bytes, Fault fault, std::size_t left) {
  const ByteView whole = comes_anywhere(fault) ? bytes.first(left) : bytes;
  if (!whole.empty()) CO_TRY_VOID(co_await inner_->write_all(whole));
  counting_.reset();
  [[maybe_unused]] const auto cleared = phone_->faults.clear(fault_name(fault));
  co_return co_await fire(fault);
}

Task<void> DeviceLink::fire(Fault fault) {
  if (fault == Fault::link_cut) {
    inner_->close();
    co_return fail(errc::closed, "link cut on purpose");
  }
  silent_ = true;
  Bytes farewell;
  if (fault == Fault::link_hostile_length) farewell = hostile_header();
  if (fault == Fault::link_garbage) {
    constexpr std::size_t kGarbage = 4096;
    while (farewell.size() < kGarbage) append_le(farewell, phone_->jitter.next());
  }
  if (farewell.empty()) co_return ok();
  co_return co_await inner_->write_all(farewell);
}

}  // namespace simdroid
