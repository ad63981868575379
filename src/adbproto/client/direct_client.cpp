#include "adbproto/client/direct_client.hpp"

#include <algorithm>

#include "adbproto/link/socket_stream.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"

namespace adbproto {
namespace {

// The bytes that a device may send ahead of a reader that is busy unpacking or writing.
constexpr std::uint32_t kReceiveWindow = 4 << 20;
// Without delayed_ack a stream sends one packet for each round trip. A round trip below this one
// makes that cheap.
constexpr auto kLongRoundTrip = std::chrono::milliseconds(1);
// A near phone under load may take some milliseconds to answer; it should not get a second
// handshake.
constexpr auto kFarRoundTrip = std::chrono::milliseconds(5);
// Seen with adbd 34: of many links at once it closes about a tenth before its first packet.
constexpr std::array kRedialPauses = {std::chrono::milliseconds(10), std::chrono::milliseconds(40),
                                      std::chrono::milliseconds(160)};
// Limit of a second link, which only improves the first one.
constexpr auto kRedialLimit = std::chrono::milliseconds(1000);

class DirectDevice final : public Device {
 public:
  DirectDevice(std::unique_ptr<TransportConnection> connection, std::string serial,
               const DirectOptions& options)
      : connection_(std::move(connection)),
        serial_(std::move(serial)),
        limit_(options.limit),
        route_(options.route),
        place_(options.place) {}

  Task<ByteStreamPtr> open(std::string service) override {
    CO_TRY_VOID(check_service(service));
    const std::string what = opening(service);
    co_return co_await with_deadline(connection_->open(std::move(service)), limit_, what);
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override { return agreement().peer.features; }
  [[nodiscard]] std::string_view route() const override { return route_; }
  [[nodiscard]] RouteFacts facts() const override {
    return {.rtt = connection_->shaken().rtt,
            .delayed_ack = agreement().flow_control == FlowControl::delayed_ack,
            .tls = connection_->shaken().encrypted,
            .agreed_at_once = connection_->shaken().agreed_at_once,
            .max_payload = agreement().max_payload,
            .place = place_,
            .state = connection_state(agreement().peer),
            .product = agreement().peer.product,
            .model = agreement().peer.model,
            .device = agreement().peer.device};
  }
  Result<void> on_incoming(std::function<void(std::unique_ptr<IncomingStream>)> take) override {
    connection_->on_incoming(std::move(take));
    return ok();
  }
  asio::awaitable<void> wait_lost() override { return connection_->wait_closed(); }
  void lose(std::string why) override { connection_->close(std::move(why)); }
  [[nodiscard]] std::size_t max_service_size() const override {
    return agreement().max_payload - 1;
  }

 private:
  [[nodiscard]] const Agreement& agreement() const { return connection_->agreement(); }

  std::unique_ptr<TransportConnection> connection_;
  std::string serial_;
  std::chrono::milliseconds limit_;
  std::string_view route_;
  std::string place_;
};

bool is_farther_than_expected(const Device& device, const DirectOptions& options) {
  const RouteFacts facts = device.facts();
  return options.delayed_ack == DelayedAck::automatic && facts.rtt > kFarRoundTrip &&
         !facts.delayed_ack && device.features().has("delayed_ack");
}

}  // namespace

Banner host_banner(DelayedAck delayed_ack, std::optional<std::chrono::microseconds> rtt) {
  Banner banner;
  banner.type = "host";
  banner.features = {"shell_v2",
                     "cmd",
                     "stat_v2",
                     "ls_v2",
                     "fixed_push_mkdir",
                     "abb",
                     "abb_exec",
                     "sendrecv_v2",
                     "sendrecv_v2_brotli",
                     "sendrecv_v2_lz4",
                     "sendrecv_v2_zstd",
                     "sendrecv_v2_dry_run_send"};
  const bool waits = delayed_ack == DelayedAck::automatic && rtt && *rtt > kLongRoundTrip;
  if (delayed_ack == DelayedAck::announced || waits) banner.features.add("delayed_ack");
  return banner;
}

Task<std::unique_ptr<Device>> connect_device(ByteStreamPtr link, std::string serial,
                                             DirectOptions options) {
  TransportOptions transport;
  transport.name = std::string(options.route) + " " + serial;
  transport.banner = host_banner(options.delayed_ack, options.rtt);
  transport.handshake_limit = options.limit;
  transport.receive_window = kReceiveWindow;
  transport.restart = options.restart;
  transport.authorization_limit = options.authorization_limit;
  transport.keys = options.keys;
  transport.on_state = options.on_state;
  transport.early = options.early;
  // What was remembered holds only while the greeting announces it, too.
  if (transport.early && !transport.banner.features.has("delayed_ack")) {
    transport.early->delayed_ack = false;
  }
  transport.without_tls = options.without_tls;
  CO_TRY(auto connection,
         co_await TransportConnection::establish(std::move(link), std::move(transport)));
  co_return std::make_unique<DirectDevice>(std::move(connection), std::move(serial), options);
}

namespace {

// The link ended before the device's first packet: shake_hands reports a later end as link_lost. Or
// the device began again at once. Only our CNXN was sent, and perhaps an EarlyOpen, which may be
// sent twice.
bool ended_before_greeting(const Error& why) {
  return why.code() == errc::closed || why.code() == errc::io;
}

// The peer accepts the connection, but does not complete the handshake. An ended link and a missing
// answer have one code; other errors stay as they are.
Error without_handshake(const DeviceAddress& address, const Error& why) {
  const std::string who = address.to_string();
  if (ended_before_greeting(why)) {
    return {errc::device_offline,
            who + " closed the connection before its greeting: " + why.message()};
  }
  if (why.code() == errc::link_lost) return {errc::device_offline, who + ": " + why.message()};
  if (why.code() == errc::deadline_exceeded) {
    return {errc::device_offline, who + " does not answer: " + why.message()};
  }
  return why;
}

}  // namespace

Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, std::string serial,
                                             DirectOptions options) {
  for (std::size_t tries = 0;; ++tries) {
    CO_TRY(auto dialled, co_await with_deadline(dial_tcp(address.host, address.port),
                                                options.dial_limit.value_or(options.limit),
                                                "connecting to " + address.to_string()));
    DirectOptions direct = options;
    direct.rtt = std::max(options.rtt, std::optional(dialled.rtt));
    auto device = co_await connect_device(std::move(dialled.stream), serial, std::move(direct));
    if (device) co_return device;
    if (!ended_before_greeting(device.error()) || tries == kRedialPauses.size()) {
      co_return std::unexpected(without_handshake(address, device.error()));
    }
    options.early.reset();  // the device may have rejected the early OPEN
    co_await sleep_for(kRedialPauses[tries]);
  }
}

// The first link stays until the second one is ready, because the second one may fail.
Task<std::unique_ptr<Device>> connect_again_if_far(std::unique_ptr<Device> device,
                                                   DeviceAddress address, DirectOptions options) {
  if (!is_farther_than_expected(*device, options)) co_return device;
  options.delayed_ack = DelayedAck::announced;
  options.authorization_limit = {};  // the phone must not show its dialog twice
  options.on_state = {};
  options.early.reset();
  auto again = co_await with_deadline(connect_device(std::move(address), device->serial(), options),
                                      kRedialLimit, "connecting again");
  co_return again ? *std::move(again) : std::move(device);
}

Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, DirectOptions options) {
  std::string serial = address.to_string();
  co_return co_await connect_device(std::move(address), std::move(serial), std::move(options));
}

}  // namespace adbproto
