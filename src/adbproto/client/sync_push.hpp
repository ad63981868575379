#pragma once
// Files of this machine onto a `sync:` stream: reads them and moves the bytes; what is said is
// session/sync_push's. Large files go in blocks of 15 DATA records, compressed where asked for.

#include <vector>

#include "adbproto/client/local_files.hpp"
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

}  // namespace adbproto
