// Invariants: records and verdict do not depend on the cuts; what an entry says survives encoding
// and decoding; every byte is either in a record, skipped or still buffered.

#include "adbproto/wire/logcat_binary.hpp"

#include "chunks.hpp"

using namespace adbproto;

namespace {

void check_round_trip(const LogEntry& entry, std::uint32_t log_id) {
  if (log_id != 0 || entry.tag.size() + entry.message.size() + 3 > kMaxLogPayload) return;
  if (entry.priority == '?' || entry.priority == '\0') return;
  LogcatBinaryReader reader;
  reader.feed(encode_log_record({.pid = entry.pid,
                                 .tid = entry.tid,
                                 .sec = 1,
                                 .priority = entry.priority,
                                 .tag = entry.tag,
                                 .message = entry.message}));
  LogEntry expected = entry;
  expected.time = "1.000000000";
  fuzz::require(to_log_entry(**reader.next()) == expected);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto own = [](const LogRecord& r) { return std::pair(to_log_entry(r), r.log_id); };
  const auto read = fuzz::read_any_way(LogcatBinaryReader(), fuzz::input(data, size), own);
  for (const auto& [entry, log_id] : read.items) check_round_trip(entry, log_id);

  LogcatBinaryReader reader;
  reader.feed(fuzz::input(data, size));
  auto item = reader.next();
  while (item && *item) item = reader.next();
  fuzz::require(reader.skipped() + reader.buffered() <= size);
  return 0;
}
