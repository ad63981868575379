// Invariants: records and verdict do not depend on the cuts; what an entry says survives encoding
// and decoding; every byte is either in a record, skipped or still buffered.

#include <string>

#include "adbproto/wire/logcat.hpp"
#include "chunks.hpp"
#include "support/log_records.hpp"

using namespace adbproto;

namespace {

// A record outlives its reader.
struct OwnedRecord {
  explicit OwnedRecord(const LogRecord& from) : record(from), tag(from.tag), message(from.message) {
    record.tag = {};
    record.message = {};
  }
  [[nodiscard]] LogRecord view() const {
    LogRecord whole = record;
    whole.tag = tag;
    whole.message = message;
    return whole;
  }
  bool operator==(const OwnedRecord&) const = default;

  LogRecord record;
  std::string tag;
  std::string message;
};

void check_round_trip(const OwnedRecord& owned) {
  const LogRecord record = owned.view();
  if (record.log_id != 0 || record.tag.size() + record.message.size() + 3 > kMaxLogPayload) return;
  if (record.priority == '?' || record.priority == '\0') return;
  LogcatBinaryReader reader;
  reader.feed(encode_log_record(record));
  fuzz::require(**reader.next() == record);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto own = [](const LogRecord& record) { return OwnedRecord(record); };
  const auto read = fuzz::read_any_way(LogcatBinaryReader(), fuzz::input(data, size), own);
  for (const OwnedRecord& record : read.items) check_round_trip(record);

  LogcatBinaryReader reader;
  reader.feed(fuzz::input(data, size));
  auto item = reader.next();
  while (item && *item) item = reader.next();
  fuzz::require(reader.skipped() + reader.buffered() <= size);
  return 0;
}
