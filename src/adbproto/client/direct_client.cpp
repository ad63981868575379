#include "adbproto/client/direct_client.hpp"

#include "adbproto/link/socket_stream.hpp"
#include "adbproto/wire/services.hpp"

namespace adbproto {
namespace {

class DirectDevice final : public Device {
 public:
  DirectDevice(std::unique_ptr<TransportConnection> connection, std::string serial,
               std::chrono::milliseconds limit)
      : connection_(std::move(connection)), serial_(std::move(serial)), limit_(limit) {}

  Task<ByteStreamPtr> open(std::string service) override {
    CO_TRY_VOID(check_service(service));
    const std::string what = "opening " + service.substr(0, 64);
    co_return co_await with_deadline(connection_->open(std::move(service)), limit_, what);
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override {
    return connection_->agreement().peer.features;
  }
  [[nodiscard]] std::string_view route() const override { return "tcp"; }
  [[nodiscard]] std::size_t max_service_size() const override {
    return connection_->agreement().max_payload - 1;
  }

 private:
  std::unique_ptr<TransportConnection> connection_;
  std::string serial_;
  std::chrono::milliseconds limit_;
};

}  // namespace

Banner host_banner(DelayedAck delayed_ack) {
  Banner banner;
  banner.type = "host";
  banner.features = {"shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "abb", "abb_exec"};
  if (delayed_ack == DelayedAck::announced) banner.features.add("delayed_ack");
  return banner;
}

Task<std::unique_ptr<Device>> connect_device(ByteStreamPtr link, std::string serial,
                                             DirectOptions options) {
  TransportOptions transport;
  transport.banner = host_banner(options.delayed_ack);
  transport.handshake_limit = options.limit;
  CO_TRY(auto connection,
         co_await TransportConnection::establish(std::move(link), std::move(transport)));
  co_return std::make_unique<DirectDevice>(std::move(connection), std::move(serial), options.limit);
}

Task<std::unique_ptr<Device>> connect_device(DeviceAddress address, DirectOptions options) {
  const std::string name = address.to_string();
  CO_TRY(auto link, co_await with_deadline(connect_tcp(address.host, address.port), options.limit,
                                           "connecting to " + name));
  co_return co_await connect_device(std::move(link), name, options);
}

}  // namespace adbproto
