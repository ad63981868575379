// The input is a story, its parts ended by NUL: "P<name>\1<data>" is an event, "R<id>" a reader
// that comes back with that Last-Event-ID. Invariants: the reader gets every held event after its
// id, in order and each once; all of them where that id was never given; none where it is no id;
// and what a reader of the format understands is what was published.

#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <deque>
#include <optional>

#include "runtime/http/response.hpp"
#include "runtime/serve/service.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

constexpr std::size_t kMostParts = 320;

// What a client has after one event: the standard's three buffers.
struct Understood {
  std::string id, name, data;
  bool operator==(const Understood&) const = default;
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines{""};
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\r' && text[at] != '\n') {
      lines.back() += text[at];
      continue;
    }
    if (text[at] == '\r' && text.substr(at + 1).starts_with('\n')) ++at;
    lines.emplace_back();
  }
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  text.pop_back();
  return text;
}

// The standard's reader, for a stream that ends behind an empty line.
std::vector<Understood> understood(std::string_view stream) {
  std::vector<Understood> events;
  Understood now;
  std::optional<std::string> data;
  for (const std::string& line : lines_of(stream)) {
    const std::size_t colon = line.find(':');
    std::string value = colon == std::string::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' ')) value.erase(0, 1);
    const std::string field = line.substr(0, colon);
    if (field == "id") now.id = value;
    if (field == "event") now.name = value;
    if (field == "data") data = data ? *data + "\n" + value : value;
    if (!line.empty()) continue;
    if (data) events.push_back({now.id, now.name, *data});
    now.name.clear();
    data.reset();
  }
  return events;
}

class Story {
 public:
  void publish(std::string_view event) {
    const std::size_t end = event.find('\1');
    const std::string name(event.substr(0, end));
    const std::string data(end == event.npos ? "" : event.substr(end + 1));
    hub_.publish(name, data);
    held_.push_back(
        {std::to_string(hub_.newest()), lines_of(name).front(), joined(lines_of(data))});
    if (held_.size() > serve::EventHub::kHeld) held_.pop_front();
  }

  void come_back(std::string_view id) {
    const http::Request request{.headers = {{"last-event-id", std::string(id)}}};
    const auto last = http::last_event_id(request);
    if (last) fuzz::require(id.find_first_not_of("0123456789") == id.npos);
    std::uint64_t seen = last.value_or(hub_.newest());
    const std::uint64_t from = seen > hub_.newest() ? 0 : seen;
    std::string stream;
    while (hub_.newest() != 0 && seen != hub_.newest()) {
      const auto event = next(seen);
      seen = event->id;
      stream += http::event_frame(seen, event->name, event->data);
    }
    std::vector<Understood> wanted;
    for (const Understood& each : held_) {
      if (std::stoull(each.id) > from) wanted.push_back(each);
    }
    fuzz::require(understood(stream) == wanted);
  }

 private:
  // There is one: it is there without waiting.
  std::shared_ptr<const serve::Event> next(std::uint64_t seen) {
    std::shared_ptr<const serve::Event> found;
    asio::co_spawn(context_, hub_.next(seen),
                   [&](const std::exception_ptr&, auto event) { found = event.value_or(nullptr); });
    context_.restart();
    context_.poll();
    fuzz::require(found != nullptr);
    return found;
  }

  asio::io_context context_;
  serve::EventHub hub_{context_.get_executor()};
  std::deque<Understood> held_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text = as_text(fuzz::input(data, size));
  Story story;
  for (std::size_t parts = 0; parts < kMostParts && !text.empty(); ++parts) {
    const std::string_view part = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    if (part.starts_with('P')) story.publish(part.substr(1));
    if (part.starts_with('R')) story.come_back(part.substr(1));
  }
  return 0;
}
