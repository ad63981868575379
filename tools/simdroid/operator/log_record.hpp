#pragma once
// The Operator app's log records, and how its logger cuts long messages.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/profile.hpp"

namespace simdroid {

// Lets a fault find its message without reading the text.
enum class LogKind : std::uint8_t { start, progress, hierarchy, envelope, recording };

struct LogRecord {
  Time at;
  LogKind kind = LogKind::progress;
  char priority = 'D';
  std::string tag;      // the calling class, or one letter where names are obfuscated
  std::string message;  // whole; may hold line breaks; split_log_message() makes the entries
  std::string command_id, task_id;  // of its command; empty without one
  bool by_receiver = false;         // an envelope written as it is, with no lines around it

  bool operator==(const LogRecord&) const = default;
};

// The entries that one message becomes, each to be one entry of the log buffer. Shorter than
// 4000 UTF-16 units: itself, line breaks included. Else split at line breaks, each line in
// pieces of 4000 units; half a surrogate pair at a border is written as three bytes, as the
// real one does.
std::vector<std::string> split_log_message(std::string_view message);

inline constexpr std::size_t kMaxLogMessage = 4000;

}  // namespace simdroid
