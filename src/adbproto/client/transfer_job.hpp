#pragma once
// What a push or a pull of several files needs.

#include "adbproto/client/sync_channel.hpp"
#include "adbproto/client/sync_client.hpp"

namespace adbproto {

// `done` is counted up as files arrive; the pointers outlive the task.
struct TransferJob {
  SyncChannel* channel = nullptr;
  const FeatureSet* features = nullptr;
  TransferOptions options{};
  const OnProgress* progress = nullptr;
  TransferResult* done = nullptr;
};

}  // namespace adbproto
