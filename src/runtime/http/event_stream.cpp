#include "runtime/http/event_stream.hpp"

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

// CR, LF and CR LF all end a line of an event stream.
void add_lines(std::string* frame, std::string_view field, std::string_view text) {
  for (;;) {
    const auto line = first_line(text);
    frame->append(field).append(": ").append(line).append("\n");
    text.remove_prefix(line.size());
    if (text.empty()) return;
    text.remove_prefix(text.starts_with("\r\n") ? 2 : 1);
  }
}

}  // namespace

std::string event_frame(std::optional<std::uint64_t> id, std::string_view name,
                        std::string_view data) {
  std::string frame;
  if (id) add_lines(&frame, "id", std::to_string(*id));
  add_lines(&frame, "event", first_line(name));
  add_lines(&frame, "data", data);
  return frame + "\n";
}

std::string comment_frame(std::string_view text) {
  std::string frame;
  add_lines(&frame, "", text);
  return frame + "\n";
}

std::optional<std::uint64_t> last_event_id(const Request& request) {
  const std::string* id = request.header("last-event-id");
  return id ? whole_number<std::uint64_t>(*id) : std::nullopt;
}

}  // namespace clawperator::http
