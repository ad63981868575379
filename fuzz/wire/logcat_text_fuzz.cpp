// Invariants: entries do not depend on the cuts; a line printed from an entry parses to the same
// entry, in the format of both; pieces of overlong lines are bounded.

#include "adbproto/wire/logcat_text.hpp"

#include "chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  for (const auto format : {LogFormat::brief, LogFormat::tag, LogFormat::time,
                            LogFormat::threadtime, LogFormat::epoch, LogFormat::automatic}) {
    const auto read = fuzz::read_any_way(LogcatTextReader(format), bytes);
    fuzz::require(!read.error);
    for (const auto& entry : read.items) {
      fuzz::require(entry.message.size() <= kMaxLogLine);
      if (entry.priority == '\0' || format == LogFormat::automatic) continue;
      fuzz::require(parse_log_line(format_log_line(entry, format), format) == entry);
    }
  }
  return 0;
}
