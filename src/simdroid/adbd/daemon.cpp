#include "simdroid/adbd/daemon.hpp"

namespace simdroid {
namespace {

// A feature that is off takes its service along, as on an old phone.
bool refused(const ServiceCall& call, std::string_view service) {
  const bool feature = call.name == "abb" || call.name == "abb_exec" || call.name == "track-app";
  const std::string wanted = call.name == "track-app" ? "track_app" : call.name;
  if (feature && !call.connection->features.has(wanted)) return true;
  for (const std::string& prefix : call.phone()->faults.values(Fault::service_refused)) {
    if (service.starts_with(prefix)) return true;
  }
  return false;
}

asio::awaitable<void> run_service(ServiceCode code, ServiceCall call) {
  const auto stream = call.stream;
  co_await code(std::move(call));
  stream->close();
}

// The ports a connection had bound go with it.
struct UnbindPorts {
  void operator()(Connection* connection) const { connection->phone->ports.unbind_all(connection); }
};

}  // namespace

FeatureSet all_features() {
  return {"shell_v2",
          "cmd",
          "stat_v2",
          "ls_v2",
          "fixed_push_mkdir",
          "fixed_push_symlink_timestamp",
          "apex",
          "abb",
          "abb_exec",
          "track_app",
          "sendrecv_v2",
          "delayed_ack"};
}

Banner Daemon::banner() const {
  const Identity& identity = phone_->options.identity;
  Banner banner{"device", "", identity.product, identity.model, identity.device, options_.features};
  for (const std::string& name : phone_->faults.values(Fault::feature_off))
    banner.features.remove(name);
  return banner;
}

void Daemon::attach(ByteStreamPtr link) { tasks_.spawn(serve(std::move(link))); }

asio::awaitable<void> Daemon::stop() {
  tasks_.cancel();
  co_await tasks_.join();
}

asio::awaitable<void> Daemon::serve(ByteStreamPtr link) {
  phone_->counters.add("connection");
  const auto connection = std::make_shared<Connection>();
  connection->phone = phone_;
  connection->name = "host-" + std::to_string(++connections_);
  const std::unique_ptr<Connection, UnbindPorts> ports(connection.get());

  TransportOptions options;
  options.role = Role::device;
  options.banner = banner();
  connection->features = options.banner.features;
  options.max_payload = options_.max_payload;
  options.on_incoming =
      [this, weak = std::weak_ptr(connection)](std::unique_ptr<IncomingStream> incoming) {
        if (const auto alive = weak.lock()) open(alive, std::move(incoming));
      };
  auto device_link = std::make_unique<DeviceLink>(std::move(link), phone_, options_.closes);
  auto transport =
      co_await TransportConnection::establish(std::move(device_link), std::move(options));
  if (!transport) co_return;
  connection->transport = *std::move(transport);
  co_await connection->transport->wait_closed();
}

void Daemon::open(const ConnectionPtr& connection, std::unique_ptr<IncomingStream> incoming) {
  ServiceCall call = parse_service(connection, incoming->service());
  phone_->counters.add("open." + call.name.substr(0, 32));
  const ServiceCode code = find_service(call);
  if (code == nullptr || refused(call, incoming->service())) return incoming->refuse();
  call.stream = incoming->accept();
  tasks_.spawn(run_service(code, std::move(call)));
}

}  // namespace simdroid
