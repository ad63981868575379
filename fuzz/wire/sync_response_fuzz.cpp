// Invariants: responses and verdict do not depend on the cuts, whatever the request (the first byte
// says what), pieces of data put together; a piece is no longer than a record may be; no entry has
// a name that could leave its directory.

#include "adbproto/wire/sync_reader.hpp"
#include "chunks.hpp"

using namespace adbproto;

namespace {

struct Own {
  SyncResponse::Kind kind{};
  SyncStat stat{};
  std::string text{};
  std::string data{};

  bool take_piece(const Own& next) {
    const bool joins = kind == SyncResponse::Kind::data && next.kind == kind;
    if (joins) data += next.data;
    return joins;
  }
  bool operator==(const Own&) const = default;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  SyncResponseReader reader;
  for (int i = 0; i < 4; ++i) reader.expect(static_cast<SyncAnswerTo>((data[0] + i) % 6));
  const auto own = [](const SyncResponse& r) {
    fuzz::require(r.data.size() <= kMaxSyncData);
    return Own{r.kind, r.stat, r.text, std::string(as_text(r.data))};
  };
  const auto read = fuzz::read_any_way(reader, fuzz::input(data, size).subspan(1), own);
  for (const auto& item : read.items) {
    if (item.kind != SyncResponse::Kind::entry) continue;
    fuzz::require(!item.text.empty() && item.text.size() <= kMaxSyncName &&
                  !item.text.contains('/'));
  }
  return 0;
}
