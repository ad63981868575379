#pragma once
// One entry of the log, and the text that is assembled from one writer's entries.

#include "runtime/engine/hierarchy_shelf.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator {

// One entry in any log format; -1 for fields that the format does not have.
struct LogLine {
  std::int32_t pid = -1;
  std::int32_t tid = -1;
  std::string_view tag;
  std::string_view message;  // may hold line breaks
  // by the device's clock, since 1970; zero where the format has none
  std::chrono::nanoseconds time{};
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
  std::string held_mark;         // a marker alone on a line: the next line decides its meaning
  std::string last;              // an entry that may be folded
  std::size_t message_size = 0;  // of all entries, were they lines of one message
  bool goes_on = false;          // the last entry was a full piece
  Flaw flaw = Flaw::none;
  std::uint64_t last_use = 0;
};

}  // namespace clawperator
