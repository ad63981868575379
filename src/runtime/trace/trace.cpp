#include "runtime/trace/trace.hpp"

#include <algorithm>

#include "runtime/android/service_command.hpp"

namespace clawperator {
namespace {

using adbproto::Command;
using adbproto::Direction;
using adbproto::SeenPacket;

// Holds the trace of a loop; the protocol's layers only have its WireObserver.
class TraceWatch final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit TraceWatch(asio::execution_context& owner) : service(owner) {}
  Trace* trace = nullptr;

 private:
  void shutdown() override {}
};

// As the bytes spell it: CNXN, OPEN.
std::string command_name(Command command) {
  std::string name;
  for (auto left = static_cast<std::uint32_t>(command); left != 0; left >>= 8) {
    const char c = static_cast<char>(left & 0xff);
    name += c >= 'A' && c <= 'Z' ? c : '?';
  }
  return name;
}

JsonObject packet_args(const SeenPacket& packet) {
  JsonObject args;
  args.text("direction", packet.direction == Direction::sent ? "sent" : "received");
  args.number("arg0", packet.arg0).number("arg1", packet.arg1);
  args.number("length", static_cast<std::int64_t>(packet.payload_size));
  if (packet.command == Command::open) {
    args.text("service", clipped_for_trace(redacted_service(packet.service)));
  }
  return args;
}

}  // namespace

class Trace::Link final : public adbproto::LinkObserver {
 public:
  Link(Trace* trace, std::string_view name)
      : trace_(trace), name_(name), track_(trace->take(name, Clock::now())) {}
  Link(const Link&) = delete;
  Link& operator=(const Link&) = delete;
  ~Link() override { trace_->give_back(name_, track_); }

  void on_packet(const SeenPacket& packet) override {
    trace_->instant(track_, command_name(packet.command), packet_args(packet));
  }
  void on_end(std::string_view why) override {
    trace_->instant(track_, "link ended", JsonObject().text("reason", clipped_for_trace(why)));
  }

 private:
  Trace* trace_;
  std::string name_;
  Track track_;
};

Trace::Trace(TraceSink* sink, TraceOrigin origin) : sink_(sink), process_(origin.process) {
  write({.kind = TraceEvent::Kind::name,
         .name = "process_name",
         .args = JsonObject().text("name", origin.name)});
  write({.name = "clock",
         .category = "trace",
         .at = Clock::now(),
         .args = JsonObject().number("wallTimeMicros", origin.wall_time.count())});
}

void Trace::watch(const asio::any_io_executor& executor) {
  asio::use_service<TraceWatch>(asio::query(executor, asio::execution::context)).trace = this;
  adbproto::WireWatch::begin(executor, this);
}

Trace* Trace::of(const asio::any_io_executor& executor) {
  auto& context = asio::query(executor, asio::execution::context);
  if (!asio::has_service<TraceWatch>(context)) return nullptr;
  return asio::use_service<TraceWatch>(context).trace;
}

Trace::Row& Trace::row_for(std::string_view name, TraceTime from) {
  const auto is_free = [from](const Row& row) { return !row.taken && row.free_from <= from; };
  auto at = named_.find(name);
  if (at != named_.end()) {
    const auto free = std::ranges::find_if(at->second, is_free);
    if (free != at->second.end()) return *free;
  }
  if (rows_ == kMaxRows) return overflow_;
  if (at == named_.end()) at = named_.emplace(std::string(name), std::vector<Row>()).first;
  std::vector<Row>& rows = at->second;
  Row& row = rows.emplace_back(Row{.track = Track{++rows_}});
  std::string title = clipped_for_trace(name);
  if (rows.size() > 1) title += " " + std::to_string(rows.size());
  write({.kind = TraceEvent::Kind::name,
         .name = "thread_name",
         .track = row.track,
         .args = JsonObject().text("name", title)});
  return row;
}

Track Trace::take(std::string_view name, TraceTime from) {
  Row& row = row_for(name, from);
  row.taken = true;
  return row.track;
}

void Trace::give_back(std::string_view name, Track track) {
  const auto at = named_.find(name);
  if (at == named_.end()) return;
  for (Row& row : at->second) {
    if (row.track != track || !row.taken) continue;
    row.taken = false;
    row.free_from = Clock::now();
    return;
  }
}

void Trace::begin(Track track, std::string_view name, TraceTime at, JsonObject args) {
  write({.kind = TraceEvent::Kind::begin,
         .name = name,
         .category = "execution",
         .track = track,
         .at = at,
         .args = std::move(args)});
}

void Trace::end(Track track, JsonObject args) {
  write(
      {.kind = TraceEvent::Kind::end, .track = track, .at = Clock::now(), .args = std::move(args)});
}

void Trace::instant(Track track, std::string_view name, JsonObject args) {
  write({.name = name,
         .category = "message",
         .track = track,
         .at = Clock::now(),
         .args = std::move(args)});
}

void Trace::complete(Track track, std::string_view name, TraceTime start, JsonObject args) {
  complete(track, name, start, Clock::now() - start, std::move(args));
}

void Trace::complete(Track track, std::string_view name, TraceTime start,
                     std::chrono::nanoseconds duration, JsonObject args) {
  write({.kind = TraceEvent::Kind::complete,
         .name = name,
         .category = "phase",
         .track = track,
         .at = start,
         .duration = duration,
         .args = std::move(args)});
}

void Trace::complete_on(std::string_view rows, std::string_view name, TraceTime start,
                        JsonObject args) {
  Row& row = row_for(rows, start);
  complete(row.track, name, start, std::move(args));
  row.free_from = Clock::now();
}

std::unique_ptr<adbproto::LinkObserver> Trace::on_link(std::string_view name) {
  return std::make_unique<Link>(this, name);
}

void Trace::on_request(const adbproto::SeenRequest& seen) {
  const std::string request = redacted_request(seen.request);
  JsonObject args;
  args.text("answer", seen.answer.empty() ? "none" : clipped_for_trace(seen.answer));
  complete_on("adb server", clipped_for_trace(request), seen.start, std::move(args));
}

void Trace::write(const TraceEvent& event) { sink_->add(encode_event(event, process_)); }

std::string redacted_request(std::string_view request) {
  constexpr std::string_view kPair = ":pair:";
  const auto code = request.find(kPair);
  if (!request.starts_with("host") || code == std::string_view::npos) {
    return redacted_service(request);
  }
  const auto end = request.find(':', code + kPair.size());
  std::string text(request.substr(0, code + kPair.size()));
  text += "[REDACTED]";
  return end == std::string_view::npos ? text : text.append(request.substr(end));
}

}  // namespace clawperator
