#pragma once
// The host's reader of the `sync:` stream. Data is returned as a view that is valid until the next
// call of feed() or next(). Every length is checked before its bytes are awaited; an error is
// final. The reader copies no file data, because files are large: a DATA record comes in pieces, as
// its bytes arrive.

#include <deque>

#include "adbproto/wire/sync.hpp"
#include "base/byte_queue.hpp"

namespace adbproto {

enum class SyncAnswerTo { stat, stat_v2, list, list_v2, recv, send };

// One response of the device.
struct SyncResponse {
  enum class Kind { stat, entry, data, done, okay, fail };

  Kind kind{};
  SyncStat stat{};     // stat, entry
  std::string text{};  // the name of an entry, the message of a fail
  ByteView data{};     // data: a piece of a record; pieces may end anywhere

  // True when the request of this answer is complete.
  [[nodiscard]] bool last() const { return kind != Kind::entry && kind != Kind::data; }
};

// The legal records depend on the request: call expect() once per request before its bytes are
// written. Answers arrive in the order of the requests.
class SyncResponseReader {
 public:
  void expect(SyncAnswerTo request) { expected_.push_back(request); }

  // `bytes` must stay unchanged until next() has returned nullopt.
  void feed(ByteView bytes);
  // Bytes without a request are `protocol`, except for a FAIL.
  Result<std::optional<SyncResponse>> next();

  // Requests whose last response has not been returned.
  [[nodiscard]] std::size_t outstanding() const { return expected_.size(); }
  [[nodiscard]] std::size_t buffered() const { return source().size() - used_; }

 private:
  [[nodiscard]] ByteView source() const { return queue_.empty() ? fed_ : queue_.view(); }
  void consume(std::size_t count);
  void keep_rest();
  std::optional<SyncResponse> next_piece();
  Result<std::optional<SyncResponse>> decode(ByteView bytes);
  Result<std::optional<SyncResponse>> decode_stat(ByteView bytes, SyncVersion version);
  Result<std::optional<SyncResponse>> decode_entry(ByteView bytes, SyncVersion version);
  Result<std::optional<SyncResponse>> decode_data(ByteView bytes);
  Result<std::optional<SyncResponse>> decode_end(ByteView bytes, SyncResponse::Kind kind,
                                                 std::size_t size);
  Result<std::optional<SyncResponse>> decode_fail(ByteView bytes);

  std::deque<SyncAnswerTo> expected_;
  ByteQueue queue_;            // begins with an incomplete record
  ByteView fed_{};             // not read yet; empty while the queue has bytes
  std::size_t data_left_ = 0;  // bytes of a DATA record that are not returned yet
  std::size_t used_ = 0;       // bytes of the response returned last
};

}  // namespace adbproto
