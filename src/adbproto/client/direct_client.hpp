#pragma once
// Reaches adbd without an adb server: a link, a handshake, streams.

#include "adbproto/client/device.hpp"
#include "adbproto/client/key_store.hpp"
#include "adbproto/client/server_address.hpp"
#include "adbproto/client/transport_connection.hpp"

namespace adbproto {

// `automatic`: announced if the known round trip is long enough (1 ms) to matter. Over TCP the
// handshake may be the first to show that; connect_again_if_far handles it.
enum class DelayedAck { announced, silent, automatic };

struct DirectOptions {
  DelayedAck delayed_ack = DelayedAck::silent;
  std::chrono::milliseconds limit{5000};  // for connecting, shaking hands, opening a stream
  std::optional<std::chrono::milliseconds> dial_limit{};  // another limit for the TCP connect
  // Absent: a device that requires a key or TLS is device_unauthorized.
  LoadKeys keys{};
  // How long a person may take to confirm the offered key; zero: the key is not offered.
  std::chrono::milliseconds authorization_limit{0};
  std::function<void(LinkState)> on_state{};
  std::string_view route = "tcp";  // the result of Device::route(); a literal
  std::string place{};             // RouteFacts::place
  Restart restart = Restart::ends_link;
  std::optional<std::chrono::microseconds> rtt{};  // expected, for example from an earlier link
  std::optional<EarlyOpen> early{};
  // The device must require TLS. A device that does not fails with this error, and has received
  // only our banner.
  std::optional<Error> without_tls{};
};

// A host's banner: the features that this client implements. `automatic` depends on the expected
// round trip.
Banner host_banner(DelayedAck delayed_ack,
                   std::optional<std::chrono::microseconds> rtt = std::nullopt);

// Connects over any link; `serial` is the device's name in results.
Task<std::unique_ptr<Device>> connect_device(ByteStreamPtr link, std::string serial,
                                             DirectOptions options);
// Connects over TCP, with TLS if the device requires it. A peer that closes before its first packet
// is dialled again, three times within some ms. io or deadline_exceeded: no peer; device_offline:
// the peer does not complete the handshake.
Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, std::string serial,
                                             DirectOptions options);
// A proxy in front of a phone (ssh -L) hides the distance until the phone's own packets arrive. If
// `device` is far (5 ms) and has no delayed_ack (`automatic`), this connects again with it. If that
// fails, the device is returned unchanged. Call it only before work over the link: it costs a
// second handshake. `options` are those of the first connection.
Task<std::unique_ptr<Device>> connect_again_if_far(std::unique_ptr<Device> device,
                                                   DeviceAddress address, DirectOptions options);
// The device's name is its address.
Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, DirectOptions options);

}  // namespace adbproto
