#pragma once
// Files of this machine onto a `sync:` stream: reads them and moves the bytes; what is said is
// session/sync_push's. Large files go in blocks of 15 DATA records, compressed where asked for.

#include <vector>

#include "adbproto/client/local_files.hpp"
#include "adbproto/client/transfer_job.hpp"
#include "adbproto/session/sync_push.hpp"

namespace adbproto {

Task<void> push_files(TransferJob job, std::vector<PushItem> files);

}  // namespace adbproto
