#pragma once
// Converts between the byte stream of transport packets and USB transfers, one machine per
// direction.
//
//   out:  packet -> [header, 24 bytes] [payload, in pieces] [empty, after whole USB packets only]
//   in:   one USB packet is read for a header, then the payload rounded up to whole
//         USB packets and, queued behind it, the next header
//
// Header and payload are never merged: older phones would drop the link. An empty transfer marks
// the end of a payload of whole USB packets for the phone; phones send none. No read is longer than
// the payload can fill, because a phone that sends whole USB packets does not mark their end.

#include <deque>

#include "adbproto/wire/packet.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kUsbPiece = 256 * 1024;  // the longest transfer
inline constexpr std::size_t kMaxUsbReads = 5;        // in flight

class UsbOutbound {
 public:
  // Requires packet_size > 0.
  explicit UsbOutbound(std::size_t packet_size, std::size_t piece = kUsbPiece);

  // Appends the transfers that `bytes` complete to `transfers`; less than a USB packet may wait for
  // further bytes. `protocol`: the bytes are no transport packets.
  Result<void> feed(ByteView bytes, std::deque<Bytes>& transfers);

 private:
  Result<void> take_header(ByteView& bytes, std::deque<Bytes>& transfers);
  void take_payload(ByteView& bytes, std::deque<Bytes>& transfers);

  std::size_t packet_size_;
  std::size_t piece_;
  Bytes waiting_;  // the rest of a header or of a payload
  std::size_t payload_left_ = 0;
  std::size_t payload_size_ = 0;
};

// Whether the bytes of one read are delivered.
enum class UsbVerdict { deliver, skip };

// Until the phone's first CNXN, AUTH or STLS, its bytes are the rest of an earlier connection.
class UsbInbound {
 public:
  // Requires packet_size > 0.
  explicit UsbInbound(std::size_t packet_size, std::size_t piece = kUsbPiece);

  // The length of the next read to queue; nullopt: enough reads are queued.
  [[nodiscard]] std::optional<std::size_t> next_read() const;
  void on_queued(std::size_t size) { queued_.push_back(size); }
  // Limits all further reads to this length, because memory is short.
  void limit_piece(std::size_t piece);

  // The oldest queued read returned `bytes`. `protocol`: out of step; `limit`: a payload is too
  // long.
  Result<UsbVerdict> on_read(ByteView bytes);
  // The oldest queued read ended without bytes.
  void on_cancelled() { queued_.pop_front(); }

 private:
  [[nodiscard]] std::size_t in_packets(std::size_t size) const;
  Result<UsbVerdict> on_header(ByteView bytes);

  std::size_t packet_size_;
  std::size_t piece_;
  std::deque<std::size_t> queued_;
  std::size_t payload_left_ = 0;
  bool in_step_ = false;
};

}  // namespace adbproto
