#pragma once
// A recording of a user's actions on a phone, as the Operator app writes it: NDJSON, a header line,
// then one line an event.
//
//   {"type":"recording_header","schemaVersion":1,"sessionId":..,"startedAt":ms,"operatorPackage":..}
//   {"ts":ms,"seq":n,"type":"click",...,"snapshot":"<hierarchy .."|null}
// Pure. Blank lines are skipped and not counted; a byte order mark, CR LF and bytes that are no
// UTF-8 are tolerated; every size is bounded.

#include "base/error.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// The whole file is in memory, and each event may contain a snapshot of the screen.
inline constexpr std::size_t kMaxRecordingBytes = std::size_t{256} << 20;
// One event with its snapshot, escaped as JSON; above any screen's.
inline constexpr std::size_t kMaxRecordingLine = std::size_t{16} << 20;
// Above what a person does in one session; a hostile file has tiny events without an end.
inline constexpr std::size_t kMaxRecordingEvents = 100'000;

enum class RecordedKind : std::uint8_t { window_change, click, scroll, press_key, text_change };

// Members that a kind does not have stay empty.
struct RecordedEvent {
  RecordedKind kind = RecordedKind::window_change;
  double seq = 0;
  std::size_t line = 0;  // of the file, blank ones not counted
  double ts = 0;         // epoch ms, by the phone's clock
  std::string package{};
  std::optional<std::string> resource_id{}, text{}, description{};
  Bounds bounds{};            // of the clicked node, in whole pixels
  std::string bounds_json{};  // the same as recorded
  std::optional<std::string> snapshot{};
  std::string json{};  // the whole event but its snapshot, as one JSON object
};

struct Recording {
  std::string session_id{};
  double started_at = 0;
  std::string operator_package{};
  std::string header_json{};
  std::vector<RecordedEvent> events{};  // by seq; those with the same seq as they were written
  std::vector<std::string> warnings{};
};

// recording_parse_failed or recording_schema_version_unsupported, with the published messages.
Result<Recording> parse_recording(std::string_view text);

// [A-Za-z0-9_-]+, of a length that a file name may have.
bool is_session_id(std::string_view id);

}  // namespace clawperator
