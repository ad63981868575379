#pragma once
// A Device whose services are coroutines of the test. A service is found by the longest prefix of
// its name; a name without a handler is refused.
//
//   FakeDevice device(loop, {"shell_v2"});
//   device.serve("shell,v2,raw:id", prints("uid=2000\n"));

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/shell_packet.hpp"
#include "base/async/scope.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/run_task.hpp"
#include "support/shell_packets.hpp"

namespace adbproto::testing {

// Gets the device's end of the stream and the whole service name.
using FakeService = std::function<Task<void>(ByteStreamPtr, std::string)>;

// What stands under the longest prefix of the name, or nullptr.
template <class Value>
const Value* by_prefix(const std::map<std::string, Value>& values, const std::string& name) {
  const Value* found = nullptr;
  for (const auto& [prefix, value] : values) {
    if (name.starts_with(prefix)) found = &value;  // the map's order puts longer ones later
  }
  return found;
}

class FakeDevice final : public Device {
 public:
  FakeDevice(Loop& loop, FeatureSet features, std::string serial = "fake")
      : executor_(loop.executor()),
        serial_(std::move(serial)),
        features_(std::move(features)),
        scope_(std::make_shared<Scope>(executor_)) {}

  FakeDevice& serve(std::string prefix, FakeService service) {
    services_[std::move(prefix)] = std::move(service);
    return *this;
  }
  // open() of such a name fails like this.
  FakeDevice& fails(std::string prefix, Error error) {
    failures_.insert_or_assign(std::move(prefix), std::move(error));
    return *this;
  }
  void set_max_service_size(std::size_t size) { max_service_size_ = size; }
  void set_facts(RouteFacts facts) { facts_ = std::move(facts); }

  // Every requested name, in order; outlives the device.
  [[nodiscard]] std::shared_ptr<const std::vector<std::string>> opened() const { return opened_; }

  Task<ByteStreamPtr> open(std::string service) override {
    opened_->push_back(service);
    CO_TRY_VOID(check_service(service));
    if (const auto* failure = by_prefix(failures_, service)) co_return std::unexpected(*failure);
    const auto* found = by_prefix(services_, service);
    if (!found) co_return fail(errc::refused, "closed");
    auto [ours, theirs] = make_memory_pair(executor_);
    scope_->spawn(run(*found, std::move(theirs), std::move(service)));
    co_return std::move(ours);
  }
  [[nodiscard]] const std::string& serial() const override { return serial_; }
  [[nodiscard]] const FeatureSet& features() const override { return features_; }
  [[nodiscard]] std::string_view route() const override { return "fake"; }
  [[nodiscard]] RouteFacts facts() const override { return facts_; }
  [[nodiscard]] std::size_t max_service_size() const override { return max_service_size_; }

 private:
  static asio::awaitable<void> run(FakeService service, ByteStreamPtr stream, std::string name) {
    [[maybe_unused]] const auto served = co_await service(std::move(stream), std::move(name));
  }

  asio::any_io_executor executor_;
  std::string serial_;
  FeatureSet features_;
  std::map<std::string, FakeService> services_;
  std::map<std::string, Error> failures_;
  std::size_t max_service_size_ = 65535;
  RouteFacts facts_{};
  std::shared_ptr<std::vector<std::string>> opened_ = std::make_shared<std::vector<std::string>>();
  std::shared_ptr<Scope> scope_;
};

// The packets of a command that has ended.
inline std::string shell_output(std::string_view out, std::string_view err = {}, int status = 0) {
  Bytes bytes;
  if (!out.empty()) append(bytes, encode_shell_packet(ShellId::standard_out, as_bytes(out)));
  if (!err.empty()) append(bytes, encode_shell_packet(ShellId::standard_err, as_bytes(err)));
  append(bytes, encode_shell_packet(ShellId::exit, std::array{std::byte(status)}));
  return std::string(as_text(bytes));
}

inline Task<void> write_text(ByteStreamPtr stream, std::string bytes) {
  co_return co_await stream->write_all(as_bytes(bytes));
}
inline Task<void> write_and_wait(ByteStreamPtr stream, std::string bytes) {
  CO_TRY_VOID(co_await stream->write_all(as_bytes(bytes)));
  Bytes buffer(4096);
  while (co_await stream->read_some(buffer)) {
  }
  co_return ok();
}
inline Task<void> read_input(ByteStreamPtr stream, std::string* into, std::function<void()> then,
                             std::string bytes) {
  ShellPacketReader packets;
  Bytes buffer(4096);
  for (;;) {
    CO_TRY(auto packet, packets.next());
    if (!packet) {
      CO_TRY(const std::size_t size, co_await stream->read_some(buffer));
      packets.feed(ByteView(buffer).first(size));
      continue;
    }
    if (packet->id == ShellId::close_stdin) break;
    *into += as_text(packet->payload);
  }
  then();
  co_return co_await stream->write_all(as_bytes(bytes));
}

// Writes `bytes` and closes.
inline FakeService says(std::string bytes) {
  return [bytes](ByteStreamPtr stream, const std::string&) {
    return write_text(std::move(stream), bytes);
  };
}
inline FakeService prints(std::string_view out, std::string_view err = {}, int status = 0) {
  return says(shell_output(out, err, status));
}

// A command that prints the name of its service.
inline FakeService prints_its_name() {
  return [](ByteStreamPtr stream, const std::string& name) {
    return write_text(std::move(stream), shell_output(name));
  };
}

// Writes `bytes`, then keeps the stream open until the client closes it.
inline FakeService hangs(std::string bytes = {}) {
  return [bytes](ByteStreamPtr stream, const std::string&) {
    return write_and_wait(std::move(stream), bytes);
  };
}

// Reads its standard input to the end into `into`, calls `then`, writes `bytes`.
inline FakeService reads(std::string* into, std::string bytes, std::function<void()> then = [] {}) {
  return [=](ByteStreamPtr stream, const std::string&) {
    return read_input(std::move(stream), into, then, bytes);
  };
}

}  // namespace adbproto::testing
