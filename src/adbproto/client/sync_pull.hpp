#pragma once
// Files of a device from its `sync:` stream: many RECV requests are on the way at once, their
// answers are written as they come.

#include <vector>

#include "adbproto/client/transfer_job.hpp"

namespace adbproto {

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
