#include "simdroid/ffs/transfers.hpp"

#include <algorithm>
#include <string>

#include "adbproto/wire/packet.hpp"

namespace simdroid {

std::vector<ByteView> phone_transfers(ByteView packets) {
  std::vector<ByteView> transfers;
  while (packets.size() >= kPacketHeaderSize) {
    const std::size_t stated = load_le<std::uint32_t>(packets.data() + 12);
    transfers.push_back(packets.first(kPacketHeaderSize));
    packets = packets.subspan(kPacketHeaderSize);
    ByteView payload = packets.first(std::min(stated, packets.size()));
    packets = packets.subspan(payload.size());
    while (!payload.empty()) {
      transfers.push_back(payload.first(std::min(payload.size(), kFfsTransfer)));
      payload = payload.subspan(transfers.back().size());
    }
  }
  return transfers;
}

Result<HostTransfers::Part> HostTransfers::take(ByteView transfer) {
  if (transfer.empty()) return Part::nothing;
  if (payload_left_ > 0) {
    if (transfer.size() > payload_left_) {
      return fail(errc::protocol, std::to_string(transfer.size()) + " bytes came where " +
                                      std::to_string(payload_left_) + " of a payload were left");
    }
    payload_left_ -= transfer.size();
    return Part::more;
  }
  if (transfer.size() != kPacketHeaderSize) {
    return fail(errc::protocol,
                std::to_string(transfer.size()) + " bytes came where a header belongs");
  }
  TRY(const adbproto::PacketHeader header,
      adbproto::decode_packet_header(transfer.first<kPacketHeaderSize>(), adbproto::kMaxPayload));
  payload_left_ = header.payload_size;
  return header.command == adbproto::Command::connect ? Part::begin : Part::more;
}

}  // namespace simdroid
