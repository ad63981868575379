#pragma once
// The frames of the unix socket between a command and the process that keeps devices connected.
//
//   0        1                 5
//   +--------+-----------------+----------
//   | kind   | length, LE      | payload
//   +--------+-----------------+----------
//
// A command sends `request` and receives `accepted` or `declined`; then `notice`, `warning`,
// `event`, `stage` and `save` while it waits, at last `result` or `failure`. `begun` comes before
// anything changes on the device: a daemon that could not send it changes nothing.

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace clawperator::daemon {

enum class FrameKind : char {
  // From the command.
  request = 'r',  // JSON
  saved = 'y',    // the answer to `save`: empty, or why the file was not written
  cancel = 'x',   // end the running execution; its outcome is sent all the same
  status = 'i',
  stop = 'q',
  // To the command.
  accepted = 'a',
  declined = 'd',  // the reason: run it yourself
  notice = 'n',    // a line for the user
  warning = 'w',
  event = 'e',
  stage = 's',    // name NUL operation NUL detail
  begun = 'b',    // from here on the outcome may be unknown
  save = 'f',     // path NUL bytes of a file that is the command's to write
  picture = 'p',  // of the result that comes next
  result = 'o',   // JSON
  failure = 'g',  // JSON
};

inline constexpr std::size_t kFrameHead = 5;
// Room for an execution's text (1 MiB) with its escapes and the command's settings.
inline constexpr std::size_t kMaxRequest = std::size_t{4} << 20;
// Room for an envelope of kMaxEnvelopeBytes (64 MiB) with its escapes, or a picture.
inline constexpr std::size_t kMaxAnswer = std::size_t{256} << 20;

struct Frame {
  FrameKind kind = FrameKind::failure;
  std::string payload;

  bool operator==(const Frame&) const = default;
};

std::string encode_frame(FrameKind kind, std::string_view payload);

// Fails with `protocol` for an unknown kind, with `limit` for a payload beyond `most`; both are
// final.
class FrameReader {
 public:
  explicit FrameReader(std::size_t most) : most_(most) {}

  void feed(base::ByteView bytes);
  Result<std::optional<Frame>> next();

 private:
  std::size_t most_;
  std::string held_;
  std::size_t taken_ = 0;  // bytes of held_
  std::optional<Error> failure_;
};

}  // namespace clawperator::daemon
