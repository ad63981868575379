#pragma once
// Files of this machine onto a `sync:` stream.
//
//   small files:  [SEND path,mode DATA .. DONE] [SEND ..] ..   many in one write
//   large files:  SEND, then blocks of 15 DATA records, compressed where asked for

#include <vector>

#include "adbproto/client/local_files.hpp"
#include "adbproto/client/sync_channel.hpp"
#include "adbproto/client/sync_client.hpp"

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

Task<void> push_files(TransferJob job, std::vector<LocalFile> files);

}  // namespace adbproto
