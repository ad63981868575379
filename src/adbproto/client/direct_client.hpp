#pragma once
// adbd reached without an adb server: a link, a handshake, streams.

#include <chrono>
#include <memory>
#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/client/server_address.hpp"
#include "adbproto/client/transport_connection.hpp"

namespace adbproto {

enum class DelayedAck { announced, silent };

struct DirectOptions {
  DelayedAck delayed_ack = DelayedAck::silent;
  std::chrono::milliseconds limit{5000};  // for connecting, shaking hands, opening a stream
};

// What a host announces: the features this client implements.
Banner host_banner(DelayedAck delayed_ack);

// Over any link; `serial` is what the device is called in results.
Task<std::unique_ptr<Device>> connect_device(ByteStreamPtr link, std::string serial,
                                             DirectOptions options);
// Over TCP, without authentication.
Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, DirectOptions options);

}  // namespace adbproto
