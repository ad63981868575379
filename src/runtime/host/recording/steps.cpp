#include "runtime/host/recording/steps.hpp"

#include <algorithm>

#include "runtime/contract/json_text.hpp"
#include "runtime/ui/describe.hpp"

namespace clawperator {
namespace {

void add(JsonObject* json, std::string_view name, const std::optional<std::string>& text) {
  if (text) {
    json->text(name, *text);
  } else {
    json->null(name);
  }
}

bool is_there(const std::optional<std::string>& text) { return text && !text->empty(); }

// A package or an id is no prose, but what a phone writes may be anything.
std::string one_word(const std::string& name) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != '"' && c != 0x7f;
  };
  return std::ranges::all_of(name, plain) ? name : quote(name);
}

}  // namespace

std::vector<RecordedStep> steps_of(const Recording& recording) {
  std::vector<RecordedStep> steps;
  bool opened = false;
  for (const RecordedEvent& event : recording.events) {
    if (event.kind == RecordedKind::click) steps.push_back({&event, "click"});
    if (event.kind == RecordedKind::window_change && !opened) {
      steps.push_back({&event, "open_app"});
      opened = true;
    }
  }
  return steps;
}

std::string to_json(const RecordedStep& step, UiState state) {
  const RecordedEvent& event = *step.event;
  JsonObject json;
  json.real("seq", event.seq).text("type", step.type).text("packageName", event.package);
  if (event.kind == RecordedKind::click) {
    add(&json, "resourceId", event.resource_id);
    add(&json, "text", event.text);
    add(&json, "contentDesc", event.description);
    json.json("bounds", event.bounds_json);
  }
  if (state == UiState::included) add(&json, "uiStateBefore", event.snapshot);
  return json.str();
}

std::string steps_json(const Recording& recording) {
  std::string steps;
  for (const RecordedStep& step : steps_of(recording)) {
    steps += (steps.empty() ? "" : ",") + to_json(step, UiState::included);
  }
  JsonObject json;
  json.text("sessionId", recording.session_id)
      .number("schemaVersion", 1)
      .json("steps", "[" + steps + "]");
  if (!recording.warnings.empty()) json.strings("_warnings", recording.warnings);
  return json.str();
}

std::string name_of_touched(const RecordedEvent& event) {
  if (is_there(event.text)) return quote(*event.text);
  if (is_there(event.description)) return quote(*event.description);
  if (is_there(event.resource_id)) return "#" + one_word(*event.resource_id);
  const Point at = event.bounds.centre();
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + ")";
}

std::string step_lines(const Recording& recording) {
  constexpr std::size_t kTypeWidth = 10;
  std::string lines;
  for (const RecordedStep& step : steps_of(recording)) {
    std::string type(step.type);
    type.resize(std::max(kTypeWidth, type.size()), ' ');
    const RecordedEvent& event = *step.event;
    lines += "[" + number_json(event.seq) + "] " + type + " " + one_word(event.package);
    if (event.kind == RecordedKind::click) lines += " " + name_of_touched(event);
    lines += "\n";
  }
  return lines;
}

}  // namespace clawperator
