#include "simdroid/adbd/daemon.hpp"

#include <algorithm>

#include "adbproto/link/tls_stream.hpp"

namespace simdroid {
namespace {

constexpr auto kConfirmationLimit = std::chrono::minutes(10);

// A feature that is turned off disables its service, too, as on an old phone.
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

// The ports that a connection had bound end with it.
struct UnbindPorts {
  void operator()(Connection* connection) const { connection->phone->ports.unbind_all(connection); }
};

}  // namespace

Banner Daemon::banner() const {
  const Identity identity = phone_->identity();
  Banner banner{"device",         "",
                identity.product, identity.model,
                identity.device,  features_of_sdk(phone_->sdk())};
  for (const std::string& name : options_.features_off) banner.features.remove(name);
  for (const std::string& name : phone_->faults.values(Fault::feature_off))
    banner.features.remove(name);
  return banner;
}

TransportOptions Daemon::transport_options() {
  TransportOptions options;
  options.role = Role::device;
  options.banner = banner();
  options.max_payload = options_.max_payload;
  options.authorization_limit = kConfirmationLimit;
  options.trust.admission = options_.admission;
  options.trust.authorised = public_keys_;
  options.confirm = [this](std::string text) { return confirm(std::move(text)); };
  options.start_tls = [this](ByteStreamPtr link, Bytes already_read) {
    return start_tls(std::move(link), std::move(already_read));
  };
  return options;
}

Result<void> Daemon::authorise(const std::string& public_key_text) {
  TRY(auto fingerprint, fingerprint_of(public_key_text));
  if (is_authorised(fingerprint)) return ok();
  public_keys_.push_back(public_key_text);
  fingerprints_.push_back(std::move(fingerprint));
  keys_changed_.notify_all();
  return ok();
}

bool Daemon::is_authorised(const std::string& fingerprint) const {
  return std::ranges::find(fingerprints_, fingerprint) != fingerprints_.end();
}

Result<RsaKey> Daemon::key() {
  if (key_) return *key_;
  TRY(key_, RsaKey::generate());
  return *key_;
}

Task<void> Daemon::confirm(std::string public_key_text) {
  phone_->counters.add("auth.offered");
  CO_TRY(const auto fingerprint, fingerprint_of(public_key_text));
  if (options_.confirm_after) {
    co_await sleep_for(*options_.confirm_after);
    co_return authorise(public_key_text);
  }
  while (!is_authorised(fingerprint)) co_await keys_changed_.wait();
  co_return ok();
}

// The faults of the link stay above TLS, because they count packets.
Task<ByteStreamPtr> Daemon::start_tls(ByteStreamPtr link, Bytes already_read) {
  ByteStreamPtr inner = static_cast<DeviceLink*>(link.get())->take_inner();
  CO_TRY(RsaKey own, key());
  TlsServerOptions tls(std::move(own));
  tls.authorised_fingerprints = fingerprints_;
  tls.accept_key = [this](const std::string& fingerprint) { return is_authorised(fingerprint); };
  CO_TRY(auto secured,
         co_await start_tls_server(std::move(inner), std::move(already_read), std::move(tls)));
  co_return std::make_unique<DeviceLink>(std::move(secured), phone_, options_.closes);
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

  TransportOptions options = transport_options();
  connection->features = options.banner.features;
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
  phone_->received.add("service", incoming->service());
  const ServiceCode code = find_service(call);
  if (code == nullptr || refused(call, incoming->service())) return incoming->refuse();
  call.stream = incoming->accept();
  tasks_.spawn(run_service(code, std::move(call)));
}

}  // namespace simdroid
