#include "simdroid/adbd/device_link.hpp"

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

// The same packets, every CLSE followed by its copy.
Bytes with_second_close(ByteView packets) {
  Bytes result;
  result.reserve(packets.size() + kPacketHeaderSize);
  while (packets.size() >= kPacketHeaderSize) {
    const auto command = Command{load_le<std::uint32_t>(packets.data())};
    const std::size_t size = kPacketHeaderSize + load_le<std::uint32_t>(packets.data() + 12);
    const ByteView packet = packets.first(std::min(size, packets.size()));
    append(result, packet);
    if (command == Command::close) append(result, packet);
    packets = packets.subspan(packet.size());
  }
  append(result, packets);
  return result;
}

bool has_close(ByteView packets) {
  while (packets.size() >= kPacketHeaderSize) {
    if (Command{load_le<std::uint32_t>(packets.data())} == Command::close) return true;
    const std::size_t size = kPacketHeaderSize + load_le<std::uint32_t>(packets.data() + 12);
    packets = packets.subspan(std::min(size, packets.size()));
  }
  return false;
}

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

Task<void> DeviceLink::write_all(ByteView bytes) {
  const Faults& faults = phone_->faults;
  if (silent_) co_return ok();
  if (faults.active(Fault::link_slow)) {
    co_await sleep_for(std::chrono::milliseconds(faults.number(Fault::link_slow)));
  }
  Bytes doubled;
  if (closes_ == CloseCount::twice && has_close(bytes)) {
    doubled = with_second_close(bytes);
    bytes = doubled;
  }
  const auto fault = active_fault(faults);
  if (fault != counting_) {
    counting_ = fault;
    countdown_ = fault ? static_cast<std::size_t>(faults.number(*fault)) : 0;
  }
  if (fault && bytes.size() >= countdown_) {
    co_return co_await write_until_fault(bytes, *fault, countdown_);
  }
  countdown_ -= fault ? bytes.size() : 0;
  co_return co_await inner_->write_all(bytes);
}

Task<void> DeviceLink::write_until_fault(ByteView bytes, Fault fault, std::size_t left) {
  // A cut or a silence comes at that very byte, what looks like a packet between packets.
  const bool anywhere = fault == Fault::link_cut || fault == Fault::link_stall;
  const ByteView whole = anywhere ? bytes.first(left) : bytes;
  if (!whole.empty()) CO_TRY_VOID(co_await inner_->write_all(whole));
  counting_.reset();
  [[maybe_unused]] const auto cleared = phone_->faults.clear(fault_name(fault));
  co_return co_await fire(fault);
}

Task<void> DeviceLink::fire(Fault fault) {
  if (fault == Fault::link_cut) {
    inner_->close();
    co_return fail(Errc::closed, "link cut on purpose");
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
