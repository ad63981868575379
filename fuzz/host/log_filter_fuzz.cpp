// Invariants: a filter without conditions passes everything; each condition passes no more than
// without it; a time that parses is the same from its own day on.

#include "runtime/log/log_reader.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  fuzz::require(LogFilter{}.lets_through(line));
  const LogFilter warnings{.at_least = LogLevel::warn};
  const LogFilter errors{.at_least = LogLevel::error};
  fuzz::require(!errors.lets_through(line) || warnings.lets_through(line));
  const LogFilter since{.since = LogTime{}};
  const LogFilter both{.at_least = LogLevel::warn, .since = LogTime{}};
  fuzz::require(both.lets_through(line) ==
                (since.lets_through(line) && warnings.lets_through(line)));
  const auto time = parse_timestamp(line);
  if (time) fuzz::require(parse_timestamp(local_day(*time)) <= time);
  const auto age = parse_since(line, LogTime{});
  if (!time && age) fuzz::require(*age <= LogTime{});
  return 0;
}
