#pragma once
// The requests that push files to a device's `sync:` service, and its answers. Pure: the caller
// reads the files, writes the bytes of take(), and writes the blocks of large files itself.
//
//   small files:  [SEND path,mode DATA .. DONE] [SEND ..] ..   many in one write
//   large files:  SEND, the caller's blocks of DATA records, DONE
//   answers:      OKAY or FAIL for each file, in their order

#include "adbproto/wire/sync_reader.hpp"
#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

struct PushItem {
  std::string local{};
  std::string remote{};
  std::uint64_t size = 0;
  std::int64_t mtime = 0;
  std::uint32_t mode = 0;
};

class PushRequests {
 public:
  // Without `v2` a request has no flags. Small files are not compressed, because it saves nothing.
  struct Dialect {
    bool v2 = false;
    std::uint32_t flags = 0;        // for every request
    std::uint32_t large_flags = 0;  // further flags for large files: the compressor
  };

  PushRequests(std::vector<PushItem> items, Dialect dialect)
      : items_(std::move(items)), dialect_(dialect) {}

  [[nodiscard]] const std::vector<PushItem>& items() const { return items_; }
  // nullptr: all files have been sent.
  [[nodiscard]] const PushItem* next() const {
    return sent_ < items_.size() ? &items_[sent_] : nullptr;
  }

  // Sends the next file as a whole. Precondition: at most kMaxSyncData bytes.
  Result<void> send_whole(ByteView content);
  // Sends the next file without its content, which the caller writes after take(), and its end.
  Result<void> begin_large();
  void end_large(const PushItem& item);

  // True if the waiting requests are enough for one write.
  [[nodiscard]] bool is_worth_a_write() const;
  Bytes take();

  // `refused` with the device's reason; `protocol` for an OKAY without a request.
  Result<void> on_answer(const SyncResponse& answer);
  [[nodiscard]] bool is_answered() const { return answered_ == items_.size(); }

 private:
  Result<void> begin(std::uint32_t flags);

  std::vector<PushItem> items_;
  Dialect dialect_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  Bytes batch_;
};

}  // namespace adbproto
