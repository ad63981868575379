#pragma once
// Files over a `sync:` stream: reads and writes them here and moves the bytes. What is said to push
// is session/sync_push's: large files go in blocks of 15 DATA records, compressed where asked for.
// To pull, many RECV requests are on the way at once, and their answers are written as they come.

#include <vector>

#include "adbproto/client/sync_channel.hpp"
#include "adbproto/client/sync_client.hpp"
#include "adbproto/session/sync_push.hpp"

namespace adbproto {

// What a push or a pull of several files needs. `done` is counted up as files arrive; the pointers
// outlive the task.
struct TransferJob {
  SyncChannel* channel = nullptr;
  const FeatureSet* features = nullptr;
  TransferOptions options{};
  const OnProgress* progress = nullptr;
  TransferResult* done = nullptr;
};

Task<void> push_files(TransferJob job, std::vector<PushItem> files);

// Where what is received goes: one file after the other, in the order of the requests.
class PullSink {
 public:
  virtual ~PullSink() = default;
  // `item` and `bytes` stay alive until the task has ended.
  virtual Task<void> begin(const PullItem* item) = 0;
  virtual Task<void> write(ByteView bytes) = 0;
  virtual Result<void> end(const PullItem& item) = 0;
  // What the item is called here, for messages.
  [[nodiscard]] virtual std::string name_of(const PullItem& item) const = 0;
};

Task<void> pull_files(TransferJob job, std::vector<PullItem> items, PullSink* sink);

}  // namespace adbproto
