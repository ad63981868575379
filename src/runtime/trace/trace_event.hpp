#pragma once
// Events of the Trace Event Format, which ui.perfetto.dev and chrome://tracing read, as JSON text.
// Times are the monotonic clock's, in microseconds with three decimals, so that what nests here
// nests there. Pure.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/namespaces.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator {

using TraceTime = base::Clock::time_point;

// A row of the picture; the format's thread.
enum class Track : std::uint32_t { process = 0 };

struct TraceEvent {
  enum class Kind : char { complete = 'X', begin = 'B', end = 'E', instant = 'i', name = 'M' };

  Kind kind = Kind::instant;
  std::string_view name{};  // of `name`: process_name or thread_name
  std::string_view category{};
  Track track = Track::process;
  TraceTime at{};
  std::chrono::nanoseconds duration{};  // of `complete`
  JsonObject args{};
};

std::string encode_event(const TraceEvent& event, std::int64_t process);

// Foreign text as far as an event takes it: 512 bytes.
std::string_view clipped_for_trace(std::string_view text);

}  // namespace clawperator
