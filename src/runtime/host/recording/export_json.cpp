#include "runtime/host/recording/export_json.hpp"

#include "runtime/contract/json_text.hpp"
#include "runtime/host/recording/steps.hpp"

namespace clawperator {
namespace {

std::string event_json(const RecordedEvent& event, Snapshots snapshots) {
  if (snapshots == Snapshots::omit) return event.json;
  std::string json = event.json;
  json.pop_back();
  return json + ",\"snapshot\":" + (event.snapshot ? quote_json(*event.snapshot) : "null") + "}";
}

std::string picture_json(const RecordedPicture& picture) {
  return JsonObject()
      .real("seq", picture.seq)
      .text("file", picture.file)
      .text("mediaType", "image/png")
      .number("width", picture.width)
      .number("height", picture.height)
      .text("data", picture.base64)
      .str();
}

template <class Items, class Write>
std::string list_json(const Items& items, Write write) {
  std::string list = "[";
  for (const auto& item : items) {
    if (list.size() > 1) list += ',';
    list += write(item);
  }
  return list += ']';
}

}  // namespace

std::string export_json(const Recording& recording, const std::vector<RecordedPicture>& pictures,
                        Snapshots snapshots) {
  const auto write_event = [&](const RecordedEvent& event) { return event_json(event, snapshots); };
  const auto write_step = [](const RecordedStep& step) { return to_json(step, UiState::left_out); };
  return JsonObject()
      .text("type", "recording_export")
      .number("schemaVersion", 1)
      .text("sessionId", recording.session_id)
      .real("startedAt", recording.started_at)
      .text("operatorPackage", recording.operator_package)
      .json("header", recording.header_json)
      .text("snapshots", snapshots == Snapshots::include ? "include" : "omit")
      .json("events", list_json(recording.events, write_event))
      .json("steps", list_json(steps_of(recording), write_step))
      .json("screenshots", list_json(pictures, picture_json))
      .strings("warnings", recording.warnings)
      .str();
}

}  // namespace clawperator
