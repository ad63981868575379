// Invariants: entries do not depend on the cuts; a line printed from an entry parses to the same
// entry; pieces of overlong lines are bounded.

#include <string>

#include "adbproto/wire/logcat.hpp"
#include "chunks.hpp"

using namespace adbproto;

namespace {

std::string padded(std::int32_t number) {
  const std::string text = std::to_string(number);
  return std::string(text.size() < 5 ? 5 - text.size() : 0, ' ') + text;
}

// As logcat prints it.
std::string line_of(const LogEntry& entry) {
  const std::size_t padding = entry.tag.size() < 8 ? 8 - entry.tag.size() : 0;
  return entry.time + " " + padded(entry.pid) + " " + padded(entry.tid) + " " + entry.priority +
         " " + entry.tag + std::string(padding, ' ') + ": " + entry.message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto read = fuzz::read_any_way(LogcatTextReader(), fuzz::input(data, size));
  fuzz::require(!read.error);
  for (LogEntry entry : read.items) {
    fuzz::require(entry.message.size() <= kMaxLogLine);
    if (entry.priority == '\0' || entry.continued) continue;
    fuzz::require(parse_log_line(line_of(entry)) == entry);
  }
  return 0;
}
