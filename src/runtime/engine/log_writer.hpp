#pragma once
// One entry of the log, and a text that one writer's entries are put together to.

#include "runtime/engine/hierarchy_shelf.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator {

// One entry as any log format gives it; -1 where it does not say.
struct LogLine {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view tag;
  std::string_view message;         // may hold line breaks
  std::chrono::nanoseconds time{};  // of the device, since 1970; zero where it does not say
};

struct WriterKey {
  std::int32_t pid;
  std::int32_t tid;
  std::string tag;
  auto operator<=>(const WriterKey&) const = default;
};

// Its text that is not finished yet.
struct LogWriter {
  enum class Kind { result, hierarchy };

  Kind kind = Kind::result;
  std::string text;
  JsonExtent json;                           // result
  std::optional<bool> named;                 // hierarchy: its marker names a command, ours or not
  std::optional<HierarchyShelf::Slot> slot;  // hierarchy: once its XML has begun, if it is kept
  bool xml_began = false;
  std::string held_mark;         // a marker alone on a line: the next line decides what it is
  std::string last;              // entry, which may be folded
  std::size_t message_size = 0;  // of all entries, were they lines of one message
  bool goes_on = false;          // the last entry was a full piece
  Flaw flaw = Flaw::none;
  std::uint64_t last_use = 0;
};

}  // namespace clawperator
