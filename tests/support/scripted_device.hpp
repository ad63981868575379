#pragma once
// The words of a scripted adbd: packets, and the greeting every connection begins with.

#include <vector>

#include "adbproto/client/transport_connection.hpp"
#include "support/scripted_stream.hpp"

namespace adbproto::testing {

inline Banner banner(std::string type, FlowControl flow) {
  Banner banner;
  banner.type = std::move(type);
  banner.features = {"shell_v2"};
  if (flow == FlowControl::delayed_ack) banner.features.add("delayed_ack");
  return banner;
}

inline TransportOptions host_options(FlowControl flow = FlowControl::classic) {
  TransportOptions options;
  options.banner = banner("host", flow);
  return options;
}

// What a scripted device hears and says first.
inline Packet host_connect() {
  return {Command::connect, kVersionUnchecked, kMaxPayload,
          to_bytes(encode_banner(host_options().banner))};
}
inline Packet device_connect() {
  return {Command::connect, kVersionUnchecked, kMaxPayload, to_bytes("device::features=shell_v2")};
}
inline Bytes wire(const std::vector<Packet>& packets) {
  Bytes bytes;
  for (const Packet& packet : packets) append(bytes, encode_packet(packet, ChecksumRule::zero));
  return bytes;
}
inline Script greeted() {
  Script script;
  script.hears(encode_packet(host_connect(), ChecksumRule::sum));
  script.says(encode_packet(device_connect(), ChecksumRule::sum));
  return script;
}
inline Packet packet(Command command, std::uint32_t arg0, std::uint32_t arg1,
                     std::string_view text = {}) {
  return {command, arg0, arg1, to_bytes(text)};
}

}  // namespace adbproto::testing
