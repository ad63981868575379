#pragma once
// One log entry, or one line of it, as read from any text format.

#include <cstdint>
#include <string>

namespace adbproto {

struct LogEntry {
  std::int32_t pid = -1;  // -1: the format does not say
  std::int32_t tid = -1;
  char priority = '\0';  // V D I W E F S; '\0' for a line in no known format
  std::string tag{};
  std::string message{};
  std::string time{};      // as printed, empty when the format has none
  bool continued = false;  // the rest of an overlong line whose beginning was the entry before

  bool operator==(const LogEntry&) const = default;
};

}  // namespace adbproto
