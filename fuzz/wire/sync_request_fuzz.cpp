// Invariants: requests and verdict do not depend on the cuts; paths and data stay within their
// limits; a SEND's target, where it has one, is the part before the last comma.

#include "chunks.hpp"
#include "simdroid/adbd/sync_request_reader.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto own = [](const SyncRequest& r) {
    return std::tuple(r.id, r.path, r.mode, r.flags, r.mtime, std::string(as_text(r.data)));
  };
  const auto read = fuzz::read_any_way(SyncRequestReader(), fuzz::input(data, size), own);
  for (const auto& [id, path, mode, flags, mtime, bytes] : read.items) {
    fuzz::require(path.size() <= kMaxSyncPath && bytes.size() <= kMaxSyncData);
    if (id != SyncId::send) continue;
    if (const auto target = parse_send_target(path)) {
      fuzz::require(target->path == path.substr(0, path.rfind(',')));
    }
  }
  return 0;
}
