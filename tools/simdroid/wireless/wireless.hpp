#pragma once
// A phone's wireless debugging beside its adbd: an open pairing dialog, and mDNS announcements of
// the ports.

#include <asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "adbproto/client/discovery.hpp"
#include "simdroid/wireless/mdns_responder.hpp"
#include "simdroid/wireless/pairing_server.hpp"

namespace simdroid {

struct WirelessOptions {
  std::optional<std::uint16_t> pairing_port{};  // 0: the system chooses; absent: no dialog
  std::string code = "123456";
  std::string pairing_instance{};  // announced with the dialog; empty: the guid
  std::optional<adbproto::DiscoveryOptions> announce{};  // absent: silent
};

// "adb-SERIAL-xxxxxx"
std::string guid_of(const std::string& serial);

class Wireless {
 public:
  struct Phone {
    std::string host;  // where it listens
    std::string serial;
    adbproto::AdbService service{};  // what the port below is
    std::uint16_t port = 0;
    PairingServer::OnPaired on_paired{};
  };

  Wireless(const asio::any_io_executor& executor, WirelessOptions options, Phone phone)
      : executor_(executor), options_(std::move(options)), phone_(std::move(phone)) {}

  // Starts the parts that the options request, in the background. `key` is the phone's own.
  Result<void> start(adbproto::RsaKey key);
  // Ends everything; required before destruction, even if start() failed.
  asio::awaitable<void> stop();

  // 0: no dialog.
  [[nodiscard]] std::uint16_t pairing_port() const { return pairing_port_; }

 private:
  Result<void> open_dialog(adbproto::RsaKey key);
  Result<void> announce();

  asio::any_io_executor executor_;
  WirelessOptions options_;
  Phone phone_;
  std::uint16_t pairing_port_ = 0;
  std::unique_ptr<PairingServer> dialog_;
  std::unique_ptr<MdnsResponder> responder_;
};

}  // namespace simdroid
