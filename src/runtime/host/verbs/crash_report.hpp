#pragma once
// The crashes of an app, as the phone's log tells them. Pure.
//
//   1732226463                              the phone's clock
//   events   ... I am_crash: [0,2981,com.x,551042628,java.lang.X,why,Main.java,42]
//            ... I am_anr  : [0,2981,com.x,551042628,Input dispatching timed out ...]
//   crashes  ... E AndroidRuntime: FATAL EXCEPTION: main
//            ... E AndroidRuntime: Process: com.x, PID: 2981

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/json_text.hpp"

namespace clawperator {

enum class CrashKind : std::uint8_t { java, native, anr };

struct Crash {
  CrashKind kind = CrashKind::java;
  std::int64_t time_ms = 0;  // by the phone's clock, since the epoch
  std::string process{};
  std::int64_t pid = 0;
  std::string exception{};  // or the signal; empty for an ANR
  std::string message{};
  std::vector<std::string> trace{};  // its first lines

  bool operator==(const Crash&) const = default;
};

struct CrashReport {
  std::int64_t crashes = 0;  // as far back as the log reaches
  std::int64_t anrs = 0;
  std::optional<Crash> last{};
  std::optional<std::int64_t> ago_ms{};  // since the last
};

// `printed`: what crashes_line prints. Of the package's own processes, `com.x` and `com.x:...`.
CrashReport parse_crashes(std::string_view printed, std::string_view package);

// Its kind, when, whose, what and where.
JsonObject to_json(const Crash& crash);
std::string_view kind_name(CrashKind kind);  // java, native, anr

// Whether that process is one of the package's.
bool is_process_of(std::string_view process, std::string_view package);

}  // namespace clawperator
