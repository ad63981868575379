#include "runtime/host/recording/page_words.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>

#include "runtime/contract/json_text.hpp"

namespace clawperator {
namespace {

constexpr double kLastMillisecond = 8.64e15;  // of a JavaScript Date

// "com.app:id/title" -> "#title"
std::string short_id(const std::string& resource_id) {
  const auto slash = resource_id.find(":id/");
  return "#" + (slash == resource_id.npos ? resource_id : resource_id.substr(slash + 4));
}

std::string in_double_quotes(const std::string& text) { return "“" + text + "”"; }

std::string touched(const RecordedEvent& event, const std::string& inside) {
  if (is_there(event.text)) return in_double_quotes(*event.text);
  if (is_there(event.description)) return in_double_quotes(*event.description);
  if (!inside.empty()) return in_double_quotes(inside);
  if (is_there(event.resource_id)) return short_id(*event.resource_id);
  const Point at = event.bounds.centre();
  return "at " + std::to_string(at.x) + ", " + std::to_string(at.y);
}

std::string in_field(const RecordedEvent& event) {
  return is_there(event.resource_id) ? " in " + short_id(*event.resource_id) : std::string();
}

std::string scrolled(const RecordedEvent& event) {
  const ScrollPosition& to = event.scroll;
  const std::string what = is_there(event.resource_id) ? " " + short_id(*event.resource_id) : "";
  return "Scroll" + what + " to " + number_json(to.x) + ", " + number_json(to.y) + " of " +
         number_json(to.max_x) + ", " + number_json(to.max_y);
}

std::string shown_screen(const RecordedEvent& event) {
  if (is_there(event.title)) return "Screen " + in_double_quotes(*event.title);
  return "Screen " + (is_there(event.class_name) ? *event.class_name : event.package);
}

std::string two_digits(std::int64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string span_in_words(double milliseconds) {
  if (!(std::abs(milliseconds) <= kLastMillisecond)) return number_json(milliseconds) + " ms";
  if (milliseconds < 0) return "-" + span_in_words(-milliseconds);
  const auto tenths = static_cast<std::int64_t>(std::llround(milliseconds / 100));
  if (tenths < 600) return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
  const std::int64_t seconds = tenths / 10;
  if (seconds < 3600) {
    return std::to_string(seconds / 60) + " min " + two_digits(seconds % 60) + " s";
  }
  return std::to_string(seconds / 3600) + " h " + two_digits(seconds / 60 % 60) + " min";
}

std::string time_in_words(double epoch_ms) {
  using namespace std::chrono;
  if (!(std::abs(epoch_ms) <= 2.5e14)) return number_json(epoch_ms);
  const sys_time<milliseconds> time{milliseconds(static_cast<std::int64_t>(epoch_ms))};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d:%02d UTC",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text;
}

std::string event_in_words(const RecordedEvent& event, bool opens_app, const std::string& inside) {
  switch (event.kind) {
    case RecordedKind::window_change:
      return opens_app ? "Open " + event.package : shown_screen(event);
    case RecordedKind::click: return "Click " + touched(event, inside);
    case RecordedKind::scroll: return scrolled(event);
    case RecordedKind::press_key: return "Press Back";
    case RecordedKind::text_change:
      return "Type " + in_double_quotes(event.text.value_or("")) + in_field(event);
  }
  return {};
}

}  // namespace clawperator
