#include "adbproto/session/usb_framing.hpp"

#include <algorithm>

namespace adbproto {
namespace {

// Whole USB packets, at least one.
std::size_t whole_packets(std::size_t size, std::size_t packet_size) {
  return std::max(size - size % packet_size, packet_size);
}

bool begins_a_connection(Command command) {
  return command == Command::connect || command == Command::auth || command == Command::stls;
}

}  // namespace

UsbOutbound::UsbOutbound(std::size_t packet_size, std::size_t piece)
    : packet_size_(packet_size), piece_(whole_packets(piece, packet_size)) {}

Result<void> UsbOutbound::feed(ByteView bytes, std::deque<Bytes>& transfers) {
  while (!bytes.empty()) {
    if (payload_left_ > 0) {
      take_payload(bytes, transfers);
    } else {
      TRY_VOID(take_header(bytes, transfers));
    }
  }
  if (payload_left_ == 0 || waiting_.size() < packet_size_) return ok();
  // Whole USB packets are sent now; the rest would end the transfer early.
  const std::size_t rest = waiting_.size() % packet_size_;
  Bytes kept(waiting_.end() - static_cast<std::ptrdiff_t>(rest), waiting_.end());
  waiting_.resize(waiting_.size() - rest);
  transfers.push_back(std::exchange(waiting_, std::move(kept)));
  return ok();
}

Result<void> UsbOutbound::take_header(ByteView& bytes, std::deque<Bytes>& transfers) {
  const std::size_t count = std::min(bytes.size(), kPacketHeaderSize - waiting_.size());
  append(waiting_, bytes.first(count));
  bytes = bytes.subspan(count);
  if (waiting_.size() < kPacketHeaderSize) return ok();
  TRY(const PacketHeader header,
      decode_packet_header(ByteView(waiting_).first<kPacketHeaderSize>(), kMaxPayload));
  payload_left_ = payload_size_ = header.payload_size;
  transfers.push_back(std::exchange(waiting_, {}));
  return ok();
}

void UsbOutbound::take_payload(ByteView& bytes, std::deque<Bytes>& transfers) {
  const std::size_t count = std::min({bytes.size(), payload_left_, piece_ - waiting_.size()});
  append(waiting_, bytes.first(count));
  bytes = bytes.subspan(count);
  payload_left_ -= count;
  if (payload_left_ > 0 && waiting_.size() < piece_) return;
  transfers.push_back(std::exchange(waiting_, {}));
  if (payload_left_ == 0 && payload_size_ % packet_size_ == 0) transfers.emplace_back();
}

UsbInbound::UsbInbound(std::size_t packet_size, std::size_t piece)
    : packet_size_(packet_size), piece_(whole_packets(piece, packet_size)) {}

std::size_t UsbInbound::in_packets(std::size_t size) const {
  return (size + packet_size_ - 1) / packet_size_ * packet_size_;
}

// Reads are filled in the order of their queue: first the present payload, then one header.
std::optional<std::size_t> UsbInbound::next_read() const {
  if (queued_.size() >= kMaxUsbReads) return std::nullopt;
  std::size_t left = payload_left_;
  for (const std::size_t size : queued_) {
    if (left == 0) return std::nullopt;
    left -= std::min(left, size);
  }
  return left > 0 ? std::min(in_packets(left), piece_) : in_packets(kPacketHeaderSize);
}

void UsbInbound::limit_piece(std::size_t piece) { piece_ = whole_packets(piece, packet_size_); }

Result<UsbVerdict> UsbInbound::on_read(ByteView bytes) {
  queued_.pop_front();
  if (bytes.empty()) return UsbVerdict::skip;
  if (payload_left_ == 0) return on_header(bytes);
  if (bytes.size() > payload_left_) {
    return fail(errc::protocol, "usb transfer of " + std::to_string(bytes.size()) +
                                    " bytes where the payload has " +
                                    std::to_string(payload_left_) + " left");
  }
  payload_left_ -= bytes.size();
  return UsbVerdict::deliver;
}

Result<UsbVerdict> UsbInbound::on_header(ByteView bytes) {
  if (bytes.size() != kPacketHeaderSize) {
    if (!in_step_) return UsbVerdict::skip;
    return fail(errc::protocol, "usb transfer of " + std::to_string(bytes.size()) +
                                    " bytes where a packet header belongs");
  }
  const auto header = decode_packet_header(bytes.first<kPacketHeaderSize>(), kMaxPayload);
  if (!in_step_) {
    if (!header || !begins_a_connection(header->command)) return UsbVerdict::skip;
    in_step_ = true;
  }
  if (!header) return std::unexpected(header.error());
  payload_left_ = header->payload_size;
  return UsbVerdict::deliver;
}

}  // namespace adbproto
