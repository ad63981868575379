#pragma once
// A simulation and a host of the same process, joined by a memory link.
//
//   SimHost sim;
//   const Shelled ran = sim.shell("echo hi");   // through CNXN, OPEN, WRTE, CLSE

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/wire/shell_packet.hpp"
#include "support/shell_packets.hpp"
#include "support/sim_phone.hpp"

namespace simdroid::testing {

struct Shelled {
  std::string out;
  std::string err;
  std::optional<int> status;  // nullopt: no exit packet came
};

class SimHost {
 public:
  explicit SimHost(const SimOptions& options = {}, FeatureSet features = {"shell_v2"})
      : phone_(&loop_, options) {
    connect(std::move(features));
  }
  ~SimHost() { streams_back.clear(); }
  SimHost(const SimHost&) = delete;
  SimHost& operator=(const SimHost&) = delete;

  void connect(FeatureSet features = {"shell_v2"}) {
    TransportOptions options;
    options.banner = Banner{"host", "", "", "", "", std::move(features)};
    options.on_incoming = [this](std::unique_ptr<IncomingStream> incoming) {
      opened_back.push_back(incoming->service());
      streams_back.push_back(incoming->accept());
    };
    auto connected = loop_.run(TransportConnection::establish(phone_.attach(), std::move(options)));
    if (connected) connection_ = *std::move(connected);
  }

  adbproto::testing::Loop& loop() { return loop_; }
  TransportConnection& connection() { return *connection_; }
  Phone& phone() { return phone_->phone(); }

  Result<ByteStreamPtr> open(std::string service) {
    return loop_.run(connection_->open(std::move(service)));
  }

  // Everything until the device closes.
  std::string exchange(std::string service, std::string input = {}) {
    return loop_.run(exchanged(connection_.get(), std::move(service), std::move(input)))
        .value_or("<error>");
  }

  Shelled shell(const std::string& command, std::string_view input = {}) {
    Bytes packets;
    if (!input.empty()) packets = encode_shell_packet(ShellId::standard_in, as_bytes(input));
    append(packets, encode_shell_packet(ShellId::close_stdin, {}));
    return decode(exchange("shell,v2,raw:" + command, std::string(as_text(packets))));
  }

  static Shelled decode(const std::string& bytes) {
    ShellPacketReader reader;
    reader.feed(as_bytes(bytes));
    Shelled result;
    while (auto packet = reader.next().value_or(std::nullopt)) {
      if (packet->id == ShellId::standard_out) result.out += as_text(packet->payload);
      if (packet->id == ShellId::standard_err) result.err += as_text(packet->payload);
      if (packet->id == ShellId::exit) result.status = static_cast<int>(packet->payload.at(0));
    }
    return result;
  }

  std::vector<std::string> opened_back;  // what the phone opened to us
  std::vector<ByteStreamPtr> streams_back;

 private:
  static Task<std::string> exchanged(TransportConnection* connection, std::string service,
                                     std::string input) {
    CO_TRY(const auto stream, co_await connection->open(std::move(service)));
    if (!input.empty()) CO_TRY_VOID(co_await stream->write_all(as_bytes(input)));
    std::string all;
    Bytes buffer(64 * 1024);
    while (const auto size = co_await stream->read_some(buffer)) {
      all += as_text(ByteView(buffer).first(*size));
    }
    co_return all;
  }

  adbproto::testing::Loop loop_;
  adbproto::testing::SimPhone phone_;
  std::unique_ptr<TransportConnection> connection_;
};

}  // namespace simdroid::testing
