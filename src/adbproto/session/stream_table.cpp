#include "adbproto/session/stream_table.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"

namespace adbproto {
namespace {

std::uint32_t raw(LocalId id) { return static_cast<std::uint32_t>(id); }
std::uint32_t raw(RemoteId id) { return static_cast<std::uint32_t>(id); }

SendPacket close_packet(std::uint32_t from, std::uint32_t to) {
  return {Packet{Command::close, from, to, {}}};
}

std::string service_of(const Packet& packet) {
  std::string_view name = as_text(packet.payload);
  if (name.ends_with('\0')) name.remove_suffix(1);
  return std::string(name);
}

}  // namespace

LocalId StreamTable::next_id() {
  do {
    ++last_id_;
  } while (last_id_ == 0 || streams_.contains(LocalId{last_id_}));
  return LocalId{last_id_};
}

void StreamTable::send_okay(LocalId id, const Stream& stream, std::size_t acked,
                            StreamActions& out) const {
  Packet packet{Command::okay, raw(id), raw(stream.remote), {}};
  if (delayed()) append_le(packet.payload, static_cast<std::int32_t>(acked));
  out.emplace_back(SendPacket{std::move(packet)});
}

Result<LocalId> StreamTable::open(std::string_view service, StreamActions& out) {
  if (service.size() + 1 > options_.max_payload) {
    return fail(errc::limit, "service name of " + std::to_string(service.size()) +
                                 " bytes is longer than a packet");
  }
  if (streams_.size() >= options_.max_streams) forget_oldest_closing();
  if (streams_.size() >= options_.max_streams) {
    return fail(errc::limit, "too many open streams: " + std::to_string(streams_.size()));
  }
  const LocalId id = next_id();
  streams_.emplace(id, Stream{});
  // The NUL is mandatory: some daemons remove the last byte without a check.
  Bytes payload = to_bytes(service);
  payload.push_back(std::byte{0});
  const std::uint32_t window = delayed() ? options_.receive_window : 0;
  out.emplace_back(SendPacket{Packet{Command::open, raw(id), window, std::move(payload)}});
  return id;
}

void StreamTable::accept(LocalId id, StreamActions& out) {
  const auto at = streams_.find(id);
  if (at == streams_.end() || at->second.state != State::offered) return;
  at->second.state = State::open;
  if (!delayed()) at->second.credit = 1;
  send_okay(id, at->second, options_.receive_window, out);
}

void StreamTable::refuse(LocalId id, StreamActions& out) {
  const auto at = streams_.find(id);
  if (at == streams_.end() || at->second.state != State::offered) return;
  out.emplace_back(close_packet(0, raw(at->second.remote)));
  streams_.erase(at);
}

bool StreamTable::may_write(LocalId id) const {
  const auto at = streams_.find(id);
  return at != streams_.end() && at->second.state == State::open && at->second.credit > 0;
}

void StreamTable::write(LocalId id, Bytes payload, StreamActions& out) {
  const auto at = streams_.find(id);
  if (at == streams_.end()) return;
  at->second.credit -= delayed() ? static_cast<std::int64_t>(payload.size()) : 1;
  out.emplace_back(
      SendPacket{Packet{Command::write, raw(id), raw(at->second.remote), std::move(payload)}});
}

void StreamTable::consumed(LocalId id, std::size_t bytes, StreamActions& out) {
  const auto at = streams_.find(id);
  if (at == streams_.end() || at->second.state != State::open) return;
  Stream& stream = at->second;
  stream.unread -= std::min(bytes, stream.unread);
  if (delayed()) {
    stream.unacked += bytes;
    // An acknowledgement for every packet would waste packets; an idle reader must not leave the
    // window shut.
    if (stream.unacked >= options_.receive_window / 8 || (stream.unread == 0 && stream.unacked)) {
      send_okay(id, stream, stream.unacked, out);
      stream.unacked = 0;
    }
    return;
  }
  while (stream.owed_acks > 0 && stream.unread < options_.receive_window) {
    --stream.owed_acks;
    send_okay(id, stream, 0, out);
  }
}

void StreamTable::close(LocalId id, StreamActions& out) {
  const auto at = streams_.find(id);
  if (at == streams_.end() || at->second.state == State::closing) return;
  if (at->second.state == State::offered) return refuse(id, out);
  // An opening stream has no remote id yet: its OKAY is answered with CLSE.
  if (at->second.state == State::open) {
    out.emplace_back(close_packet(raw(id), raw(at->second.remote)));
  }
  at->second.state = State::closing;
}

void StreamTable::close_all(StreamActions& out) {
  std::vector<LocalId> ids;
  for (const auto& [id, stream] : streams_) ids.push_back(id);
  for (const LocalId id : ids) close(id, out);
}

bool StreamTable::awaits_farewell() const {
  return std::ranges::any_of(streams_, [](const auto& entry) {
    return entry.second.state == State::closing && entry.second.remote == RemoteId{};
  });
}

void StreamTable::end(Streams::iterator at, StreamActions& out) {
  out.emplace_back(close_packet(raw(at->first), raw(at->second.remote)));
  out.emplace_back(Ended{at->first});
  streams_.erase(at);
}

void StreamTable::forget_oldest_closing() {
  const auto at = std::ranges::find_if(
      streams_, [](const auto& entry) { return entry.second.state == State::closing; });
  if (at != streams_.end()) streams_.erase(at);
}

Result<void> StreamTable::on_packet(Packet packet, StreamActions& out) {
  switch (packet.command) {
    case Command::okay: return on_okay(packet, out);
    case Command::open: on_open(packet, out); return ok();
    case Command::write: on_write(std::move(packet), out); return ok();
    case Command::close: on_close(packet, out); return ok();
    case Command::auth:
    case Command::stls:
      if (options_.role == Role::host) {
        return fail(errc::device_unauthorized,
                    "the device requires a key although it had accepted the connection");
      }
      ++ignored_;
      return ok();
    case Command::connect:
      if (options_.role == Role::host && options_.restart == Restart::ends_link) {
        return fail(errc::closed, "the device restarted the connection");
      }
      [[fallthrough]];
    default: ++ignored_; return ok();
  }
}

Result<void> StreamTable::on_okay(const Packet& packet, StreamActions& out) {
  const auto at = streams_.find(LocalId{packet.arg1});
  const bool is_opening = at != streams_.end() && at->second.state == State::opening;
  if (packet.arg0 == 0 && is_opening) {
    return fail(errc::protocol, "the peer accepted a service under the stream id 0");
  }
  if (packet.arg0 == 0) {
    ++ignored_;
    return ok();
  }
  if (at == streams_.end()) {
    ++ignored_;
    out.emplace_back(close_packet(packet.arg1, packet.arg0));
    return ok();
  }
  take_okay(at, packet, out);
  return ok();
}

void StreamTable::take_okay(Streams::iterator at, const Packet& packet, StreamActions& out) {
  Stream& stream = at->second;
  const bool first = stream.remote == RemoteId{};
  if (first) stream.remote = RemoteId{packet.arg0};
  if (stream.state == State::closing) {
    if (first) out.emplace_back(close_packet(packet.arg1, packet.arg0));
    return;
  }
  if (stream.state == State::offered || stream.remote != RemoteId{packet.arg0}) {
    ++ignored_;
    return;
  }
  if (packet.payload.size() != (delayed() ? sizeof(std::int32_t) : 0)) return end(at, out);
  const bool could_write = stream.credit > 0;
  stream.credit = delayed() ? stream.credit + load_le<std::int32_t>(packet.payload.data()) : 1;
  if (stream.state == State::opening) {
    stream.state = State::open;
    out.emplace_back(Opened{at->first});
  }
  if (!could_write && stream.credit > 0) out.emplace_back(Writable{at->first});
}

void StreamTable::on_open(const Packet& packet, StreamActions& out) {
  if (packet.arg0 == 0) {
    ++ignored_;
    return;
  }
  const bool window_fits = (packet.arg1 != 0) == delayed();
  if (streams_.size() >= options_.max_streams) forget_oldest_closing();
  if (!window_fits || streams_.size() >= options_.max_streams) {
    out.emplace_back(close_packet(0, packet.arg0));
    return;
  }
  const LocalId id = next_id();
  Stream stream;
  stream.state = State::offered;
  stream.remote = RemoteId{packet.arg0};
  stream.credit = delayed() ? static_cast<std::int64_t>(packet.arg1) : 0;
  streams_.emplace(id, stream);
  out.emplace_back(PeerOpened{id, service_of(packet)});
}

void StreamTable::on_write(Packet packet, StreamActions& out) {
  const auto at = streams_.find(LocalId{packet.arg1});
  if (at == streams_.end()) {
    ++ignored_;
    if (packet.arg0 != 0) out.emplace_back(close_packet(0, packet.arg0));
    return;
  }
  Stream& stream = at->second;
  if (stream.state != State::open || stream.remote != RemoteId{packet.arg0}) {
    ++ignored_;
    return;
  }
  const std::size_t size = packet.payload.size();
  // A peer that ignores the window ends its own stream, and does not fill our memory.
  if (stream.unread + size > options_.receive_window + options_.max_payload) return end(at, out);
  stream.unread += size;
  if (size > 0) out.emplace_back(Deliver{at->first, std::move(packet.payload)});
  if (delayed()) return;
  if (stream.unread < options_.receive_window) {
    send_okay(at->first, stream, 0, out);
  } else {
    ++stream.owed_acks;
  }
}

void StreamTable::on_close(const Packet& packet, StreamActions& out) {
  const auto at = streams_.find(LocalId{packet.arg1});
  if (at == streams_.end()) {
    ++ignored_;
    return;
  }
  switch (at->second.state) {
    case State::opening:
      out.emplace_back(Refused{at->first});
      streams_.erase(at);
      return;
    case State::closing: streams_.erase(at); return;
    case State::offered:
    case State::open: end(at, out); return;
  }
}

}  // namespace adbproto
