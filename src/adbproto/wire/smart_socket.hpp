#pragma once
// The messages of a client and an adb server on one connection.
//
//   request  LLLL service        LLLL = length, four hex digits
//   reply    OKAY ...            what follows depends on the service: ReplyShape
//            FAIL LLLL message
//
// Requests are never pipelined: the server drops what follows a request in the same segment.

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kMaxSmartFrame = 0xffff;  // the length has four hex digits

// `limit` above 65535 bytes; `invalid_argument` when empty, because the server never answers that.
Result<Bytes> encode_request(std::string_view service);

// A stream of LLLL blocks, as trackers send them.
class BlockReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<std::string>> next();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }

 private:
  ByteQueue queue_;
};

struct Okay {
  bool operator==(const Okay&) const = default;
};

// One OKAY or FAIL. A FAIL ends with `refused` and the peer's message (ours if that is empty); any
// other answer is `protocol`.
class StatusReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<Okay>> next();

 private:
  ByteQueue queue_;
};

// The bytes after an OKAY, except those of the opened service.
enum class ReplyShape {
  text,           // LLLL text; `host:pair:` may answer a second FAIL instead
  second_status,  // a second OKAY or FAIL when the job is done, then perhaps LLLL text (a port)
  none,           // nothing, then the end of the stream
};

// Reads the reply of one request. `text`: next() returns the text, once. Other shapes: next()
// returns an empty text when the last OKAY is there; after that it returns the text that may follow
// a second_status. A FAIL is the error `refused` with the server's message.
class ReplyReader {
 public:
  explicit ReplyReader(ReplyShape shape)
      : shape_(shape), statuses_(shape == ReplyShape::second_status ? 2 : 1) {}

  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<std::string>> next();

 private:
  ReplyShape shape_;
  int statuses_;  // still to come
  bool finished_ = false;
  ByteQueue queue_;
};

// The text of `host:devices`, `host:devices-l` and of tracker blocks, one line per transport:
//
//   devices     serial TAB state
//   devices-l   serial, padded to 22, SP state [SP devpath] [SP product:P] [SP model:M]
//               [SP device:D] SP transport_id:N
//
// Serials and states may contain spaces ("no permissions (...); see [...]"), so long lines are read
// from the right, by their keys.

struct DeviceLine {
  std::string serial{};
  std::string state{};
  std::string devpath{};
  std::string product{};
  std::string model{};
  std::string device{};
  std::uint64_t transport_id = 0;  // 0: absent

  bool operator==(const DeviceLine&) const = default;
};

// `protocol` if a line that is not empty has no serial or no state.
Result<std::vector<DeviceLine>> parse_devices(std::string_view text);
Result<std::vector<DeviceLine>> parse_devices_long(std::string_view text);

}  // namespace adbproto
