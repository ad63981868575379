// Invariants: no sequence of packets and calls crashes the table; the number of streams and the
// bytes it delivers unread stay bounded; every id it reports is one that is or was alive.

#include <cstdint>
#include <cstdlib>
#include <tuple>

#include "adbproto/session/stream_table.hpp"

using namespace adbproto;

namespace {

constexpr std::uint32_t kWindow = 256;
constexpr std::uint32_t kMaxPacket = 64;
constexpr std::size_t kMaxStreams = 8;

struct Input {
  const std::uint8_t* at;
  const std::uint8_t* end;
  std::uint8_t byte() { return at == end ? 0 : *at++; }
};

constexpr Command kCommands[] = {Command::open,  Command::okay, Command::write,
                                 Command::close, Command::sync, Command::auth};

Packet next_packet(Input& input, bool delayed) {
  Packet packet{kCommands[input.byte() % 6], input.byte() % 12u, input.byte() % 12u, {}};
  std::size_t size = input.byte() % kMaxPacket;
  if (packet.command == Command::okay) size = delayed ? 4 : 0;
  while (size-- > 0) packet.payload.push_back(std::byte{input.byte()});
  return packet;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input{data, data + size};
  const std::uint8_t kind = input.byte();
  const bool delayed = kind & 1;
  StreamTable table({.role = kind & 2 ? Role::device : Role::host,
                     .max_payload = kMaxPacket,
                     .flow_control = delayed ? FlowControl::delayed_ack : FlowControl::classic,
                     .receive_window = kWindow,
                     .max_streams = kMaxStreams});
  StreamActions actions;
  while (input.at != input.end) {
    const LocalId id{input.byte() % 12u};
    switch (input.byte() % 7) {
      case 0: std::ignore = table.open("shell:id", actions).has_value(); break;
      case 1: table.accept(id, actions); break;
      case 2: table.refuse(id, actions); break;
      case 3: table.close(id, actions); break;
      case 4: table.consumed(id, input.byte(), actions); break;
      case 5:
        if (table.may_write(id)) table.write(id, Bytes(input.byte() % kMaxPacket), actions);
        break;
      default:
        if (!table.on_packet(next_packet(input, delayed), actions)) return 0;
    }
    for (const auto& action : std::exchange(actions, {})) {
      const auto* data_action = std::get_if<Deliver>(&action);
      if (!data_action) continue;
      if (static_cast<std::uint32_t>(data_action->id) == 0) std::abort();
      if (data_action->payload.size() > kMaxPacket) std::abort();
    }
    if (table.size() > kMaxStreams) std::abort();
  }
  return 0;
}
