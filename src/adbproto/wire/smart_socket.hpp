#pragma once
// What a client and an adb server say to each other on one connection.
//
//   request  LLLL service        LLLL = length, four hex digits
//   reply    OKAY ...            what follows depends on the service: ReplyShape
//            FAIL LLLL message
//
// Requests are never pipelined: the server drops what follows a request in the same segment.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_queue.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kMaxSmartFrame = 0xffff;

// `limit` above 65535 bytes; `invalid_argument` when empty, which the server answers with silence.
Result<Bytes> encode_request(std::string_view service);

// The server's side. Texts above 65535 bytes are cut.
Bytes encode_okay();
Bytes encode_fail(std::string_view message);
Bytes encode_block(std::string_view text);

// Endless LLLL blocks, as trackers send them.
class BlockReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<std::string>> next();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }
  // What follows the returned blocks; the reader is empty afterwards.
  Bytes take_rest();

 private:
  ByteQueue queue_;
};

// The server's view of a client: a request is one block that is not empty.
class RequestReader {
 public:
  void feed(ByteView bytes) { blocks_.feed(bytes); }
  Result<std::optional<std::string>> next();

  [[nodiscard]] std::size_t buffered() const { return blocks_.buffered(); }
  Bytes take_rest() { return blocks_.take_rest(); }

 private:
  BlockReader blocks_;
};

struct Okay {
  bool operator==(const Okay&) const = default;
};

// One OKAY or FAIL. A FAIL ends with `refused` and the peer's message (or one of ours when that is
// empty); anything else is `protocol`.
class StatusReader {
 public:
  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<Okay>> next();

  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }
  // What came after the status; the reader is empty afterwards.
  Bytes take_rest();

 private:
  ByteQueue queue_;
};

enum class ReplyShape {
  pipe,           // nothing; the socket now belongs to the service (or to the switched transport)
  text,           // LLLL text; `host:pair:` may answer a second FAIL instead
  u64,            // transport id
  second_status,  // a second OKAY or FAIL when the job is done, then perhaps LLLL text (a port)
  blocks,         // LLLL text for ever
  none,           // nothing, then the end of the stream
};

// What the server will answer to `service`. Names that are no host service are local: pipe.
ReplyShape reply_shape(std::string_view service);

struct Reply {
  enum class Kind { accepted, text, number, block };

  Kind kind = Kind::accepted;
  std::string text{};        // text and block
  std::uint64_t number = 0;  // number

  bool operator==(const Reply&) const = default;
};

// The whole reply of one request:
//   pipe, none     accepted, after it take_rest() is the service's data
//   text           text
//   u64            number, after it take_rest()
//   second_status  accepted (both statuses seen), then perhaps text
//   blocks         block, block, ...
// A FAIL is the error `refused` with the server's message.
class ReplyReader {
 public:
  explicit ReplyReader(ReplyShape shape) : shape_(shape) {}

  void feed(ByteView bytes) { queue_.append(bytes); }
  Result<std::optional<Reply>> next();

  // True once nothing but the service's own data can follow.
  [[nodiscard]] bool finished() const { return stage_ == Stage::finished; }
  [[nodiscard]] std::size_t buffered() const { return queue_.size(); }
  Bytes take_rest();

 private:
  enum class Stage { first_status, body, second_status, late_text, finished };

  Result<std::optional<Reply>> next_body();
  Result<std::optional<Reply>> next_text(Reply::Kind kind);
  [[nodiscard]] Stage stage_after_okay() const;

  ReplyShape shape_;
  Stage stage_ = Stage::first_status;
  ByteQueue queue_;
};

}  // namespace adbproto
