#pragma once
// adbd reached without an adb server: a link, a handshake, streams.

#include "adbproto/client/device.hpp"
#include "adbproto/client/key_store.hpp"
#include "adbproto/client/server_address.hpp"
#include "adbproto/client/transport_connection.hpp"

namespace adbproto {

// `automatic`: announced where a round trip is known to take long enough (1 ms) for waiting to
// matter. Over TCP that may show as late as in the handshake: connect_again_if_far handles that.
enum class DelayedAck { announced, silent, automatic };

struct DirectOptions {
  DelayedAck delayed_ack = DelayedAck::silent;
  std::chrono::milliseconds limit{5000};  // for connecting, shaking hands, opening a stream
  std::optional<std::chrono::milliseconds> dial_limit{};  // for TCP's connecting, if it is another
  // Absent: a device that requires a key or TLS is device_unauthorized.
  LoadKeys keys{};
  // How long to wait for a person to confirm the key once it was offered; zero: do not offer it.
  std::chrono::milliseconds authorization_limit{0};
  std::function<void(LinkState)> on_state{};
  std::string_view route = "tcp";  // the result of Device::route(); a literal
  std::string place{};             // RouteFacts::place
  Restart restart = Restart::ends_link;
  std::optional<std::chrono::microseconds> rtt{};  // expected, of an earlier link for example
  std::optional<EarlyOpen> early{};
  // The device must require TLS: one that does not fails with this error, and has received only our
  // banner.
  std::optional<Error> without_tls{};
};

// A host's banner: the features that this client implements. `automatic` goes by the expected round
// trip.
Banner host_banner(DelayedAck delayed_ack,
                   std::optional<std::chrono::microseconds> rtt = std::nullopt);

// Over any link; `serial` is what the device is called in results.
Task<std::unique_ptr<Device>> connect_device(ByteStreamPtr link, std::string serial,
                                             DirectOptions options);
// Over TCP; TLS where the device requires it. A peer that closes before its first packet is dialled
// again, three times within some ms. io or deadline_exceeded: no peer; device_offline: the peer
// does not complete the handshake.
Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, std::string serial,
                                             DirectOptions options);
// A proxy in front of a phone (ssh -L) hides the distance until the phone's own packets come. If
// `device` turned out to be far (5 ms) without delayed_ack (`automatic`), this connects once more
// with it; if that fails the device stays as it is. Only before work over the link: it costs a
// second handshake. `options` are those of the first one.
Task<std::unique_ptr<Device>> connect_again_if_far(std::unique_ptr<Device> device,
                                                   DeviceAddress address, DirectOptions options);
// Called by its address.
Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, DirectOptions options);

}  // namespace adbproto
