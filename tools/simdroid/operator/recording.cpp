#include "simdroid/operator/recording.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <nlohmann/json.hpp>

#include "simdroid/ui/hierarchy.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMaxEvents = 5000;

std::string recorded_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

bool is_session_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-';
  });
}

const char* type_name(UiEvent::Type type) {
  switch (type) {
    case UiEvent::Type::window_change: return "window_change";
    case UiEvent::Type::click: return "click";
    case UiEvent::Type::scroll: return "scroll";
    case UiEvent::Type::press_back: return "press_key";
    case UiEvent::Type::text_change: return "text_change";
  }
  return "";
}

void add_node(Json& line, const View& view) {
  line["resourceId"] = text_or_null(view.spec->resource_id);
  line["text"] = text_or_null(view.text);
  line["contentDesc"] = text_or_null(view.spec->description);
  line["bounds"] = {{"left", view.bounds.left},
                    {"top", view.bounds.top},
                    {"right", view.bounds.right},
                    {"bottom", view.bounds.bottom}};
}

void add_fields(Json& line, const UiEvent& event) {
  if (event.type == UiEvent::Type::press_back) {
    line["key"] = "back";
    return;
  }
  line["packageName"] = event.package;
  switch (event.type) {
    case UiEvent::Type::window_change:
      line["className"] = text_or_null(event.class_name);
      line["title"] = text_or_null(event.title);
      break;
    case UiEvent::Type::click: add_node(line, *event.view); break;
    case UiEvent::Type::scroll:
      line["resourceId"] = text_or_null(event.view->spec->resource_id);
      line["scrollX"] = event.scroll_x;
      line["scrollY"] = event.scroll_y;
      line["maxScrollX"] = event.max_scroll_x;
      line["maxScrollY"] = event.max_scroll_y;
      break;
    case UiEvent::Type::text_change:
      line["resourceId"] = text_or_null(event.view != nullptr ? event.view->spec->resource_id : "");
      line["text"] = event.view != nullptr ? event.view->text : "";
      break;
    case UiEvent::Type::press_back: break;
  }
}

}  // namespace

Recorder::~Recorder() {
  if (session_) world_->set_event_listener({});
}

std::int64_t Recorder::wall_ms() const {
  const auto since = world_->now().time_since_epoch();
  return wall_offset_ms_ + std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

Result<Recorder::Session> Recorder::start(const std::string& id, std::string_view package) {
  if (session_) return fail(errc::refused, "RECORDING_ALREADY_IN_PROGRESS");
  if (!storage_) return fail(errc::refused, "RECORDING_STORAGE_UNAVAILABLE");
  if (!is_session_id(id)) return fail(errc::refused, "RECORDING_START_FAILED");
  folder_ = "/sdcard/Android/data/" + std::string(package) + "/files/recordings/";
  Session session{id, folder_ + id + ".ndjson", 0};
  const Json header{{"type", "recording_header"},
                    {"schemaVersion", 1},
                    {"sessionId", id},
                    {"startedAt", wall_ms()},
                    {"operatorPackage", std::string(package)}};
  (*files_)[session.path] = recorded_line(header);
  session_ = session;
  world_->set_event_listener([this](const UiEvent& event) { on_event(event); });
  return session;
}

Result<Recorder::Session> Recorder::stop(std::string_view id) {
  if (!session_ || (!id.empty() && session_->id != id)) {
    return fail(errc::refused, "RECORDING_NOT_IN_PROGRESS");
  }
  if (!storage_) return fail(errc::refused, "RECORDING_STOP_FAILED");
  world_->set_event_listener({});
  (*files_)[folder_ + "latest"] = session_->id;
  Session session = *std::move(session_);
  session_.reset();
  return session;
}

void Recorder::on_event(const UiEvent& event) {
  if (!session_ || session_->events == kMaxEvents) return;
  const bool pictured =
      event.type == UiEvent::Type::window_change || event.type == UiEvent::Type::click;
  Json line{{"ts", wall_ms()}, {"seq", session_->events}, {"type", type_name(event.type)}};
  add_fields(line, event);
  line["snapshot"] = pictured ? Json(hierarchy_xml(*world_)) : Json();
  (*files_)[session_->path] += recorded_line(line);
  ++session_->events;
}

}  // namespace simdroid
