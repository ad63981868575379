#include "runtime/daemon/frame.hpp"

namespace clawperator::daemon {
namespace {

constexpr std::string_view kKinds = "ryxiqadnwesbfpog";

std::uint32_t read_length(std::string_view head) {
  std::uint32_t length = 0;
  for (std::size_t at = 4; at >= 1; --at) {
    length = length << 8U | static_cast<unsigned char>(head[at]);
  }
  return length;
}

}  // namespace

std::string encode_frame(FrameKind kind, std::string_view payload) {
  std::string frame(1, static_cast<char>(kind));
  frame.reserve(kFrameHead + payload.size());
  for (unsigned shift = 0; shift < 32; shift += 8) {
    frame += static_cast<char>(payload.size() >> shift & 0xffU);
  }
  return frame.append(payload);
}

// Drops the taken bytes once they are more than the rest, so that no byte is moved twice.
void FrameReader::feed(base::ByteView bytes) {
  if (failure_) return;
  if (taken_ > held_.size() / 2) {
    held_.erase(0, taken_);
    taken_ = 0;
  }
  held_.append(as_text(bytes));
}

Result<std::optional<Frame>> FrameReader::next() {
  if (failure_) return std::unexpected(*failure_);
  const std::string_view left = std::string_view(held_).substr(taken_);
  if (left.empty()) return std::nullopt;
  if (kKinds.find(left.front()) == kKinds.npos) {
    failure_ = Error(errc::protocol, "a frame of an unknown kind");
    return std::unexpected(*failure_);
  }
  if (left.size() < kFrameHead) return std::nullopt;
  const std::size_t length = read_length(left);
  if (length > most_) {
    failure_ = Error(errc::limit, "a frame of " + std::to_string(length) + " bytes");
    return std::unexpected(*failure_);
  }
  if (left.size() - kFrameHead < length) return std::nullopt;
  taken_ += kFrameHead + length;
  return Frame{static_cast<FrameKind>(left.front()), std::string(left.substr(kFrameHead, length))};
}

}  // namespace clawperator::daemon
