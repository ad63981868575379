#pragma once
// The phone's end of a link with its faults: slow, cut, silent, hostile.
//
//   TransportConnection --packets--> DeviceLink --[faults, second CLSE]--> socket
//
// A link fault takes effect once, on the first link that has sent its bytes, and then clears
// itself: the next connection works again.

#include <vector>

#include "base/async/byte_stream.hpp"
#include "simdroid/device/phone.hpp"

namespace simdroid {

// Real adbd closes a normally ended stream twice.
enum class CloseCount : std::uint8_t { once, twice };

class DeviceLink final : public ByteStream {
 public:
  // `phone` must outlive this.
  DeviceLink(ByteStreamPtr inner, Phone* phone, CloseCount closes)
      : inner_(std::move(inner)), phone_(phone), closes_(closes) {}

  Task<std::size_t> read_some(std::span<std::byte> into) override;
  // Takes packets in order; a payload may continue in the next call, a header may not.
  Task<void> write_all(ByteView bytes) override;
  void close() override;

  // Releases the link below, to put TLS in between; this object is unusable afterwards.
  ByteStreamPtr take_inner() { return std::move(inner_); }

 private:
  std::vector<std::size_t> follow_packets(ByteView bytes);
  static Bytes doubled(ByteView bytes, const std::vector<std::size_t>& closes);
  Task<void> write_until_fault(ByteView bytes, Fault fault, std::size_t left);
  Task<void> fire(Fault fault);

  ByteStreamPtr inner_;
  Phone* phone_;
  CloseCount closes_;
  std::optional<Fault> counting_;
  std::size_t countdown_ = 0;
  std::size_t payload_left_ = 0;
  bool silent_ = false;
};

}  // namespace simdroid
