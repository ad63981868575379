#include "runtime/host/recording/export_json.hpp"

#include <algorithm>

#include "base/json_text.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator {

namespace {

// A package or an id is no prose, but what a phone writes may be anything.
std::string one_word(const std::string& name) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '"' && c != 0x7f;
  };
  return std::ranges::all_of(name, plain) ? name : quote(name);
}

bool goes_on_typing(const RecordedEvent& before, const RecordedEvent& event) {
  return before.kind == RecordedKind::text_change && before.package == event.package &&
         before.resource_id == event.resource_id;
}

enum class UiState { included, left_out };

std::string to_json(const RecordedStep& step, UiState state) {
  const RecordedEvent& event = *step.event;
  JsonObject json;
  json.real("seq", event.seq).text("type", step.type);
  if (event.kind == RecordedKind::press_key) json.text("key", "back");  // the only one recorded
  if (!event.package.empty()) json.text("packageName", event.package);
  const bool is_click = event.kind == RecordedKind::click;
  if (is_click || event.kind == RecordedKind::text_change) {
    json.text_or_null("resourceId", event.resource_id).text_or_null("text", event.text);
  }
  if (is_click) {
    json.text_or_null("contentDesc", event.description).json("bounds", event.bounds_json);
  }
  if (state == UiState::included) json.text_or_null("uiStateBefore", event.snapshot);
  return json.str();
}

bool is_filled(const std::optional<std::string>& text) { return text && !text->empty(); }

// A name for the touched node: the text, else the description, the resource id, the place.
std::string name_of_touched(const RecordedEvent& event) {
  if (is_filled(event.text)) return quote(*event.text);
  if (is_filled(event.description)) return quote(*event.description);
  if (is_filled(event.resource_id)) return "#" + one_word(*event.resource_id);
  const Point at = event.bounds.centre();
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")";
}

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

}  // namespace

std::vector<RecordedStep> steps_of(const Recording& recording) {
  std::vector<RecordedStep> steps;
  const std::string* package = nullptr;  // of the last window
  for (const RecordedEvent& event : recording.events) {
    switch (event.kind) {
      case RecordedKind::click: steps.push_back({&event, "click"}); break;
      case RecordedKind::press_key: steps.push_back({&event, "press_key"}); break;
      case RecordedKind::text_change:
        // Every key press is an event; the last text of the field is the typed one.
        if (!steps.empty() && goes_on_typing(*steps.back().event, event)) steps.pop_back();
        steps.push_back({&event, "enter_text"});
        break;
      case RecordedKind::window_change:
        if (!package || *package != event.package) steps.push_back({&event, "open_app"});
        package = &event.package;
        break;
      default: break;
    }
  }
  return steps;
}

std::string steps_json(const Recording& recording) {
  const auto write_step = [](const RecordedStep& step) { return to_json(step, UiState::included); };
  JsonObject json;
  json.text("sessionId", recording.session_id).number("schemaVersion", 1);
  json.json("steps", list_json(steps_of(recording), write_step));
  if (!recording.warnings.empty()) json.strings("_warnings", recording.warnings);
  return json.str();
}

std::string step_lines(const Recording& recording) {
  constexpr std::size_t kTypeWidth = 10;
  std::string lines;
  for (const RecordedStep& step : steps_of(recording)) {
    std::string type(step.type);
    type.resize(std::max(kTypeWidth, type.size()), ' ');
    const RecordedEvent& event = *step.event;
    lines += "[" + number_json(event.seq) + "] " + type + " ";
    lines += event.kind == RecordedKind::press_key ? "back" : one_word(event.package);
    const bool touched =
        event.kind == RecordedKind::click || event.kind == RecordedKind::text_change;
    if (touched) lines += " " + name_of_touched(event);
    lines += "\n";
  }
  return lines;
}

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
