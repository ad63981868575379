// Invariants: responses and verdict do not depend on the cuts, whatever was asked (the first byte
// says what); no entry has a name that could leave its directory.

#include "adbproto/wire/sync_reader.hpp"
#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  SyncResponseReader reader;
  for (int i = 0; i < 4; ++i) reader.expect(static_cast<SyncAnswerTo>((data[0] + i) % 6));
  const auto own = [](const SyncResponse& r) {
    return std::tuple(r.kind, r.stat, r.text, std::string(as_text(r.data)));
  };
  const auto read = fuzz::read_any_way(reader, fuzz::input(data, size).subspan(1), own);
  for (const auto& [kind, stat, text, bytes] : read.items) {
    fuzz::require(bytes.size() <= kMaxSyncData);
    if (kind == SyncResponse::Kind::entry) {
      fuzz::require(!text.empty() && text.size() <= kMaxSyncName && !text.contains('/'));
    }
  }
  return 0;
}
