#include "runtime/host/recording/recording.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/host/errc.hpp"

namespace clawperator {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"window_change", "click", "scroll", "press_key",
                                                 "text_change"};
constexpr std::size_t kMaxSessionId = 200;  // "-SEQ.png" fits into NAME_MAX (255), too
constexpr std::size_t kMaxShownWord = 200;  // of a foreign word in a message

std::string_view spelling_of(RecordedKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

// One event line being judged.
struct Line {
  const Json& json;
  std::size_t number;

  [[nodiscard]] std::unexpected<Error> refused(std::string what) const {
    return fail(errc::recording_parse_failed, std::move(what));
  }
  [[nodiscard]] std::unexpected<Error> invalid(std::string_view type, std::string_view why) const {
    return refused("Invalid " + std::string(type) + (type.empty() ? "" : " ") + "event at line " +
                   std::to_string(number) + ": " + std::string(why));
  }

  [[nodiscard]] std::optional<double> number_of(std::string_view name) const {
    const Json* value = find_member(json, name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    return value->get<double>();
  }
  [[nodiscard]] std::optional<std::string> text_of(std::string_view name) const {
    const std::string* text = string_value(find_member(json, name));
    return text == nullptr ? std::nullopt : std::optional(*text);
  }
  // Null is a value, absence is not.
  bool take_nullable(std::string_view name, std::optional<std::string>* into) const {
    const Json* value = find_member(json, name);
    *into = text_of(name);
    return value != nullptr && (value->is_null() || value->is_string());
  }
  bool take_text(std::string_view name, std::string* into) const {
    const std::string* text = string_value(find_member(json, name));
    if (text != nullptr) *into = *text;
    return text != nullptr;
  }
  bool take_number(std::string_view name, double* into) const {
    const auto value = number_of(name);
    if (value) *into = *value;
    return value.has_value();
  }
};

int whole_pixel(double value) {
  constexpr double kFarthest = 1'000'000;
  return static_cast<int>(std::lround(std::clamp(value, -kFarthest, kFarthest)));
}

bool take_bounds(const Line& line, RecordedEvent* event) {
  const Json* bounds = find_member(line.json, "bounds");
  if (bounds == nullptr) return false;
  const Line inner{*bounds, line.number};
  double left = 0, top = 0, right = 0, bottom = 0;
  if (!inner.take_number("left", &left) || !inner.take_number("top", &top) ||
      !inner.take_number("right", &right) || !inner.take_number("bottom", &bottom)) {
    return false;
  }
  event->bounds = {whole_pixel(left), whole_pixel(top), whole_pixel(right), whole_pixel(bottom)};
  event->bounds_json = write_json(*bounds);
  return true;
}

bool take_click(const Line& line, RecordedEvent* event) {
  return line.take_text("packageName", &event->package) &&
         line.take_nullable("resourceId", &event->resource_id) &&
         line.take_nullable("text", &event->text) &&
         line.take_nullable("contentDesc", &event->description) && take_bounds(line, event);
}

bool take_scroll(const Line& line, RecordedEvent* event) {
  return line.take_text("packageName", &event->package) &&
         line.take_nullable("resourceId", &event->resource_id) && line.number_of("scrollX") &&
         line.number_of("scrollY") && line.number_of("maxScrollX") && line.number_of("maxScrollY");
}

bool take_text_change(const Line& line, RecordedEvent* event) {
  return line.take_text("packageName", &event->package) &&
         line.take_nullable("resourceId", &event->resource_id) &&
         line.take_nullable("text", &event->text);
}

Result<void> take_window_change(const Line& line, RecordedEvent* event) {
  if (!line.take_text("packageName", &event->package)) {
    return line.invalid("window_change", "missing packageName");
  }
  return ok();
}

Result<void> take_fields(const Line& line, RecordedEvent* event) {
  bool complete = true;
  switch (event->kind) {
    case RecordedKind::window_change: return take_window_change(line, event);
    case RecordedKind::press_key:
      if (line.text_of("key") != "back") return line.invalid("press_key", "missing or invalid key");
      return ok();
    case RecordedKind::click: complete = take_click(line, event); break;
    case RecordedKind::scroll: complete = take_scroll(line, event); break;
    case RecordedKind::text_change: complete = take_text_change(line, event); break;
  }
  if (!complete) return line.invalid(spelling_of(event->kind), "missing required fields");
  return ok();
}

// `details` beside the published message.
std::unexpected<Error> malformed(std::size_t number, std::string_view reason) {
  ErrorMembers details;
  details.number("line", static_cast<std::int64_t>(number)).text("reason", reason);
  return fail_with(errc::recording_parse_failed,
                   "Malformed NDJSON at line " + std::to_string(number), details);
}

Result<RecordedEvent> parse_event(std::string_view text, std::size_t number) {
  auto parsed = read_json(text, kMaxRecordingLine);
  if (!parsed) return malformed(number, parsed.error().message());
  const Line line{*parsed, number};
  RecordedEvent event;
  event.line = number;
  std::string type;
  if (!line.take_number("ts", &event.ts) || !line.take_number("seq", &event.seq) ||
      !line.take_text("type", &type)) {
    return line.invalid("", "missing required fields (ts, seq, type)");
  }
  const auto* const kind = std::ranges::find(kKinds, type);
  if (kind == kKinds.end()) {
    return line.refused("Unknown event type at line " + std::to_string(number) + ": " +
                        type.substr(0, kMaxShownWord));
  }
  event.kind = static_cast<RecordedKind>(kind - kKinds.begin());
  TRY_VOID(take_fields(line, &event));
  event.snapshot = line.text_of("snapshot");
  parsed->erase("snapshot");
  event.json = write_json(*parsed);
  return event;
}

Result<Recording> parse_header(std::string_view text) {
  const auto parsed = read_json(text, kMaxRecordingLine);
  const auto refused = fail(errc::recording_parse_failed, "Missing or invalid recording header");
  if (!parsed) return refused;
  const Line line{*parsed, 1};
  Recording recording;
  double version = 0;
  if (line.text_of("type") != "recording_header" || !line.take_number("schemaVersion", &version) ||
      !line.take_text("sessionId", &recording.session_id) ||
      !line.take_number("startedAt", &recording.started_at) ||
      !line.take_text("operatorPackage", &recording.operator_package)) {
    return refused;
  }
  if (version != 1) {
    return fail(errc::recording_schema_version_unsupported,
                "Unsupported recording schema version: " + number_json(version));
  }
  recording.header_json = write_json(*parsed);
  return recording;
}

// Takes the next line that is not blank off the front; empty at the end.
std::string_view take_filled_line(std::string_view* text) {
  while (!text->empty()) {
    const std::size_t end = text->find('\n');
    const std::string_view line = trim_js(text->substr(0, end));
    text->remove_prefix(end == text->npos ? text->size() : end + 1);
    if (!line.empty()) return line;
  }
  return {};
}

bool lacks_snapshot(const RecordedEvent& event) {
  const bool wants_one =
      event.kind == RecordedKind::window_change || event.kind == RecordedKind::click;
  return wants_one && !event.snapshot;
}

void warn_of(Recording* recording, const RecordedEvent& event, std::string_view what) {
  recording->warnings.push_back("seq " + number_json(event.seq) + ": " + std::string(what));
}

// The published order: missing snapshots as they were read, then dropped scrolls by seq.
void warn_and_sort(Recording* recording) {
  for (const RecordedEvent& event : recording->events) {
    if (!lacks_snapshot(event)) continue;
    warn_of(recording, event,
            "snapshot missing on " + std::string(spelling_of(event.kind)) +
                " event (uiStateBefore null)");
  }
  std::ranges::sort(recording->events, {},
                    [](const RecordedEvent& event) { return std::pair(event.seq, event.line); });
  for (const RecordedEvent& event : recording->events) {
    if (event.kind != RecordedKind::scroll) continue;
    warn_of(recording, event, "scroll event dropped (not extracted in v1)");
  }
}

}  // namespace

bool is_session_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxSessionId && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
  });
}

Result<Recording> parse_recording(std::string_view text) {
  if (text.size() > kMaxRecordingBytes) {
    return fail(errc::recording_parse_failed,
                "The recording is longer than " + std::to_string(kMaxRecordingBytes) + " bytes");
  }
  const std::string_view first = take_filled_line(&text);
  if (first.empty()) return fail(errc::recording_parse_failed, "Empty recording file");
  TRY(Recording recording, parse_header(valid_utf8(first)));
  for (std::size_t number = 2;; ++number) {
    const std::string_view line = take_filled_line(&text);
    if (line.empty()) break;
    if (recording.events.size() == kMaxRecordingEvents) {
      return fail(errc::recording_parse_failed,
                  "The recording has more than " + std::to_string(kMaxRecordingEvents) + " events");
    }
    if (line.size() > kMaxRecordingLine) return malformed(number, "the line is too long");
    TRY(recording.events.emplace_back(), parse_event(valid_utf8(line), number));
  }
  warn_and_sort(&recording);
  return recording;
}

}  // namespace clawperator
