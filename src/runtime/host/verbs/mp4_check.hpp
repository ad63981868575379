#pragma once
// Whether an MP4 file is whole, told while its bytes pass: `ftyp` first, boxes to the last byte,
// and a `moov` with a track among them, which a recorder writes when it finishes. Pure; of all that
// passes only `moov` is kept.
//
//   [size type payload] [size type payload] ...     size 1: 64 bits follow; size 0: to the end

#include <cstdint>
#include <optional>
#include <string>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace clawperator {

struct Mp4Facts {
  std::uint64_t bytes = 0;
  std::int64_t duration_ms = 0;
  int tracks = 0;

  bool operator==(const Mp4Facts&) const = default;
};

class Mp4Check {
 public:
  static constexpr std::size_t kMostMoov = 32 << 20;
  static constexpr int kMostBoxes = 4096;

  // errc::protocol for what is no such file.
  Result<void> feed(ByteView bytes);
  // The same where something is missing at the end.
  Result<Mp4Facts> finish() const;

 private:
  Result<void> begin_box();
  Result<void> end_box();

  Bytes header_;
  Bytes moov_;
  std::string type_;         // of the box that passes; empty: a header does
  std::uint64_t left_ = 0;   // of its payload
  bool to_the_end_ = false;  // it has no size
  int boxes_ = 0;
  bool has_moov_ = false;
  Mp4Facts facts_;
};

}  // namespace clawperator
