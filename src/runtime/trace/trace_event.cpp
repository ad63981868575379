#include "runtime/trace/trace_event.hpp"

namespace clawperator {
namespace {

constexpr std::size_t kMaxText = 512;

std::string micros(std::chrono::nanoseconds time) {
  const std::string nanos = std::to_string(1000 + time.count() % 1000);
  return std::to_string(time.count() / 1000) + "." + nanos.substr(1);
}

}  // namespace

std::string encode_event(const TraceEvent& event, std::int64_t process) {
  const char kind = static_cast<char>(event.kind);
  JsonObject json;
  json.text("ph", std::string_view(&kind, 1));
  if (!event.name.empty()) json.text("name", event.name);
  if (!event.category.empty()) json.text("cat", event.category);
  json.number("pid", process).number("tid", static_cast<std::int64_t>(event.track));
  if (event.kind != TraceEvent::Kind::name) json.json("ts", micros(event.at.time_since_epoch()));
  if (event.kind == TraceEvent::Kind::complete) json.json("dur", micros(event.duration));
  if (event.kind == TraceEvent::Kind::instant) {
    json.text("s", event.track == Track::process ? "p" : "t");  // as wide as the process, the track
  }
  if (!event.args.empty()) json.object("args", event.args);
  return json.str();
}

std::string_view clipped_for_trace(std::string_view text) { return text.substr(0, kMaxText); }

}  // namespace clawperator
