#pragma once
// The replayable steps of a recording: each app that came to the front, each click, each typed
// text, each press of Back.

#include "runtime/host/recording/recording.hpp"

namespace clawperator {

struct RecordedStep {
  const RecordedEvent* event = nullptr;  // of the recording, which must outlive this
  std::string_view type;                 // "open_app", "click", "enter_text" or "press_key"
};

std::vector<RecordedStep> steps_of(const Recording& recording);

// {"sessionId","schemaVersion","steps",["_warnings"]}, compact. Each step holds "uiStateBefore",
// the snapshot before it or null.
std::string steps_json(const Recording& recording);

// One line a step for the terminal: "[3] click      "Wi-Fi" #title". Foreign text is escaped.
std::string step_lines(const Recording& recording);

// A recording as one self-contained JSON document:
//
//   {"type":"recording_export","schemaVersion":1,"sessionId","startedAt","operatorPackage",
//    "header":{..},"snapshots":"include"|"omit","events":[..],"steps":[..],
//    "screenshots":[{"seq","file","mediaType","width","height","data":base64}],"warnings":[..]}
//
// Events are whole and in order, of every kind. A step names its event by seq; the snapshot before
// it is that event's, so no snapshot stands there twice.

// A picture of the screen just before the event of that seq.
struct RecordedPicture {
  double seq = 0;
  std::string file{};  // its name, beside the recording
  std::uint32_t width = 0, height = 0;
  std::string base64{};  // of the whole PNG
};

enum class Snapshots : std::uint8_t { omit, include };

std::string export_json(const Recording& recording, const std::vector<RecordedPicture>& pictures,
                        Snapshots snapshots);

}  // namespace clawperator
