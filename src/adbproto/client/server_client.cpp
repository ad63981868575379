#include "adbproto/client/server_client.hpp"

#include "adbproto/client/wire_observer.hpp"
#include "base/number.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kStatusSize = 4;

// The server's own limit is 10 s; ours must be longer, so that its verdict arrives.
constexpr auto kConnectLimit = std::chrono::seconds(12);
// Three times the server's limit for a connect, because it dials, agrees on TLS and pairs.
constexpr auto kPairLimit = std::chrono::seconds(30);

// Reads the status, and no byte more after an OKAY: further bytes belong to the service.
Task<void> read_status(ByteStream* stream) {
  StatusReader reader;
  std::array<std::byte, kStatusSize> chunk;
  std::size_t wanted = kStatusSize;
  for (;;) {
    CO_TRY(const std::size_t size, co_await stream->read_some(std::span(chunk).first(wanted)));
    reader.feed(ByteView(chunk).first(size));
    wanted = wanted > size ? wanted - size : kStatusSize;
    CO_TRY(const auto okay, reader.next());
    if (okay) co_return ok();
  }
}

// The server refuses a malformed request by closing the connection without a reply.
Error server_closed(const Error& error) {
  if (error.code() != errc::closed) return error;
  return {errc::closed, "adb server closed the connection without an answer"};
}

// A port may follow the second status without notice, so the reply ends when the server closes.
Task<std::string> run_exchange(ServerAddress address, std::string service, ReplyShape shape) {
  CO_TRY(auto stream, co_await connect_server(std::move(address)));
  WatchedRequest watched(WireWatch::of(co_await asio::this_coro::executor), service);
  CO_TRY(const Bytes request, encode_request(service));
  CO_TRY_VOID(co_await stream->write_all(request));
  const bool waits_for_end = shape == ReplyShape::second_status;
  ReplyReader reader(shape);
  std::optional<std::string> text;
  std::array<std::byte, 16384> chunk;
  for (;;) {
    auto reply = reader.next();
    if (!reply || *reply) watched.answered(reply);
    CO_TRY(auto answered, std::move(reply));
    if (answered) {
      text = *std::move(answered);
      if (!waits_for_end) co_return *std::move(text);
      continue;
    }
    const auto size = co_await stream->read_some(chunk);
    if (!size && text) co_return *std::move(text);
    if (!size && !waits_for_end) watched.answered(size);
    if (!size) co_return std::unexpected(server_closed(size.error()));
    reader.feed(ByteView(chunk).first(*size));
  }
}

Task<ByteStreamPtr> run_request(ByteStreamPtr stream, std::string service) {
  WatchedRequest watched(WireWatch::of(co_await asio::this_coro::executor), service);
  CO_TRY(const Bytes request, encode_request(service));
  CO_TRY_VOID(co_await stream->write_all(request));
  const auto status = co_await read_status(stream.get());
  watched.answered(status);
  if (!status) co_return std::unexpected(server_closed(status.error()));
  co_return stream;
}

// A connection that the server has switched to the device of `transport_request`.
Task<ByteStreamPtr> run_switch(ServerAddress address, std::string transport_request) {
  CO_TRY(auto stream, co_await connect_server(std::move(address)));
  co_return co_await run_request(std::move(stream), std::move(transport_request));
}

Task<ByteStreamPtr> run_open(ServerAddress address, std::string transport_request,
                             std::string service) {
  CO_TRY(auto stream, co_await run_switch(std::move(address), std::move(transport_request)));
  co_return co_await run_request(std::move(stream), std::move(service));
}

// A server of 1.0.31 has no features, and its phones get none: they serve `shell:`, `exec:` and
// `sync:`. It takes any "transport-..." that it does not know for "transport-any", so that a
// transport id, which it never lists, needs an answer about features first.
Result<FeatureSet> features_of(const Result<std::string>& list) {
  if (list) return FeatureSet::from_list(*list);
  if (is_unknown_service(list.error())) return FeatureSet();
  return std::unexpected(list.error());
}

class ServerDevice final : public Device {
 public:
  // `switched`: a connection for the first service; may be absent.
  ServerDevice(ServerClient client, std::string transport_request, std::string serial,
               FeatureSet features, ByteStreamPtr switched = nullptr, std::string place = {})
      : client_(std::move(client)),
        transport_request_(std::move(transport_request)),
        serial_(std::move(serial)),
        features_(std::move(features)),
        switched_(std::move(switched)),
        place_(std::move(place)) {}

  Task<ByteStreamPtr> open(std::string service) override {
    CO_TRY_VOID(check_service(service));
    // A connection that has waited may be stale; a test by use could run a command twice.
    auto prepared = std::move(switched_);
    if (prepared && Clock::now() - made_ < kFresh) {
      const std::string what = opening(service);
      co_return co_await with_deadline(run_request(std::move(prepared), std::move(service)),
                                       client_.limit(), what);
    }
    co_return co_await client_.open(transport_request_, std::move(service));
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override { return features_; }
  [[nodiscard]] std::string_view route() const override { return "server"; }
  [[nodiscard]] RouteFacts facts() const override {
    RouteFacts facts;
    facts.place = place_;
    return facts;
  }
  [[nodiscard]] std::size_t max_service_size() const override { return kMaxSmartFrame; }

 private:
  ServerClient client_;
  std::string transport_request_;
  std::string serial_;
  // A command opens its first service within milliseconds.
  static constexpr auto kFresh = std::chrono::seconds(1);

  FeatureSet features_;
  ByteStreamPtr switched_;
  std::string place_;
  Clock::time_point made_ = Clock::now();
};

}  // namespace

bool is_unknown_service(const Error& error) {
  return error.code() == errc::refused && error.message().starts_with("unknown host service");
}

Task<std::vector<DeviceLine>> DeviceTracker::next() {
  std::array<std::byte, 16384> chunk;
  for (;;) {
    CO_TRY(const auto block, blocks_.next());
    if (block && format_ == ListFormat::detailed) co_return parse_devices_long(*block);
    if (block) co_return parse_devices(*block);
    CO_TRY(const std::size_t size, co_await stream_->read_some(chunk));
    blocks_.feed(ByteView(chunk).first(size));
  }
}

Task<std::string> ServerClient::text(std::string service, std::chrono::milliseconds limit,
                                     ReplyShape shape) {
  const std::string what = "adb server's answer to " + service;
  co_return co_await with_deadline(run_exchange(address_, std::move(service), shape), limit, what);
}

Task<int> ServerClient::version() {
  CO_TRY(const std::string digits, co_await text(host("version"), limit_));
  const auto version = whole_number<int>(digits, 16);
  if (!version) {
    co_return fail(errc::protocol, "adb server's version is '" + digits.substr(0, 32) + "'");
  }
  co_return *version;
}

Task<std::vector<DeviceLine>> ServerClient::devices(ListFormat format) {
  const bool detailed = format == ListFormat::detailed;
  auto list = co_await text(host(detailed ? "devices-l" : "devices"), limit_);
  if (detailed && !list && is_unknown_service(list.error())) {
    co_return co_await devices(ListFormat::brief);
  }
  if (!list) co_return std::unexpected(list.error());
  co_return detailed ? parse_devices_long(*list) : parse_devices(*list);
}

Task<FeatureSet> ServerClient::host_features() {
  co_return features_of(co_await text(host("host-features"), limit_));
}

Task<FeatureSet> ServerClient::features(std::string serial) {
  co_return features_of(co_await text(host_serial(serial, "features"), limit_));
}

Task<std::unique_ptr<DeviceTracker>> ServerClient::track_devices(ListFormat format) {
  const bool detailed = format == ListFormat::detailed;
  auto stream = co_await track(detailed ? "track-devices-l" : "track-devices");
  if (detailed && !stream && is_unknown_service(stream.error())) {
    co_return co_await track_devices(ListFormat::brief);
  }
  if (!stream) co_return std::unexpected(stream.error());
  co_return std::make_unique<DeviceTracker>(*std::move(stream), format);
}

Task<std::string> ServerClient::connect(std::string device_address) {
  CO_TRY(const std::string sentence,
         co_await text(host("connect:" + device_address), kConnectLimit));
  co_return parse_connect_reply(sentence);
}

Task<std::string> ServerClient::disconnect(std::string device_address) {
  co_return co_await text(host("disconnect:" + device_address), limit_);
}

Task<std::string> ServerClient::query(DeviceChoice choice, std::string verb) {
  const auto limit = verb.starts_with("connect:") ? kConnectLimit : limit_;
  co_return co_await text(host_for(choice, verb), limit);
}

Task<std::string> ServerClient::pair(std::string code, std::string device_address) {
  co_return co_await text(host("pair:" + code + ":" + device_address), kPairLimit);
}

Task<std::string> ServerClient::change_forwards(DeviceChoice choice, std::string verb) {
  co_return co_await text(host_for(choice, verb), limit_, ReplyShape::second_status);
}

Task<void> ServerClient::kill() {
  CO_TRY_VOID(co_await text(host("kill"), limit_, ReplyShape::none));
  co_return ok();
}

Task<ByteStreamPtr> ServerClient::track(std::string verb) {
  const std::string service = host(verb);
  co_return co_await with_deadline(run_switch(address_, service), limit_, service);
}

Task<ByteStreamPtr> ServerClient::open(std::string transport_request, std::string service) {
  const std::string what = opening(service);
  co_return co_await with_deadline(
      run_open(address_, std::move(transport_request), std::move(service)), limit_, what);
}

Task<std::unique_ptr<Device>> ServerClient::device(std::string serial) {
  CO_TRY(auto features, co_await features(serial));
  const std::string request = transport_serial(serial);
  co_return std::make_unique<ServerDevice>(*this, request, std::move(serial), std::move(features));
}

Task<std::unique_ptr<Device>> ServerClient::device(std::uint64_t id, std::string serial,
                                                   std::string place) {
  CO_TRY(const std::string list, co_await text(host_transport_id(id, "features"), limit_));
  co_return std::make_unique<ServerDevice>(*this, transport_id(id), std::move(serial),
                                           FeatureSet::from_list(list), nullptr, std::move(place));
}

// Reads the features and prepares the first service's connection at the same time, because a short
// command takes as long as its exchanges.
Task<std::unique_ptr<Device>> ServerClient::device(DeviceChoice choice) {
  using namespace base::parallel;
  const std::string request = transport_for(choice);
  auto [list, switched] = co_await (
      text(host_for(choice, "features"), limit_) &&
      with_deadline(run_switch(address_, request), limit_, "adb server's answer to " + request));
  if (!list && choice.transport_id) co_return std::unexpected(list.error());
  CO_TRY(auto features, features_of(list));
  co_return std::make_unique<ServerDevice>(*this, request, std::move(choice.serial),
                                           std::move(features),
                                           switched ? *std::move(switched) : nullptr);
}

}  // namespace adbproto
