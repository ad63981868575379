#pragma once
// Converts between transport packets and USB transfers on the phone's side, as strictly as adbd.
//
//   host -> phone   [24-byte header] [payload, in reads of 16 KiB] [empty after whole USB packets]
//   phone -> host   [24-byte header] [payload, in writes of 16 KiB]

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace simdroid {

inline constexpr std::size_t kFfsTransfer = 16 * 1024;

// The transfers of whole packets; views into `packets`.
std::vector<ByteView> phone_transfers(ByteView packets);

class HostTransfers {
 public:
  enum class Part : std::uint8_t { nothing, begin, more };  // begin: the header of a CNXN

  // The data of one read of kFfsTransfer. `protocol`: header and payload are not separate, or the
  // empty transfer was left out; adbd closes its endpoints then.
  Result<Part> take(ByteView transfer);

 private:
  std::size_t payload_left_ = 0;
};

}  // namespace simdroid
