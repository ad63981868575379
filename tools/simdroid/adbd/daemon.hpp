#pragma once
// The phone's adbd: accepts links, runs the handshake as a device, and serves the streams of hosts.
//
//   Listener --link--> attach() -> TransportConnection -> PeerOpened -> find_service() -> coroutine
//
// It accepts every host, hosts that sign with an authorised key, or TLS with such a key.

#include <optional>
#include <string>

#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "simdroid/adbd/device_link.hpp"
#include "simdroid/adbd/service.hpp"

namespace simdroid {

struct DaemonOptions {
  std::vector<std::string> features_off{};
  std::uint32_t max_payload = kMaxPayload;
  CloseCount closes = CloseCount::twice;
  Admission admission = Admission::open;
  // After this time the phone's owner accepts an offered key permanently; absent: never.
  std::optional<std::chrono::milliseconds> confirm_after{};
};

class Daemon {
 public:
  // `phone` must outlive this.
  Daemon(Phone* phone, DaemonOptions options)
      : phone_(phone),
        options_(std::move(options)),
        tasks_(phone->executor),
        keys_changed_(phone->executor) {}

  // Serves one host until either side ends the link.
  void attach(ByteStreamPtr link);

  // Accepts a host from now on, also one that already waits. `text` is that of its adbkey.pub;
  // protocol when it contains no key.
  Result<void> authorise(const std::string& public_key_text);
  // The phone's key for TLS, created at the first call.
  Result<RsaKey> key();

  // Ends all links and services; required before destruction if a link was attached.
  asio::awaitable<void> stop();

 private:
  asio::awaitable<void> serve(ByteStreamPtr link);
  void open(const ConnectionPtr& connection, std::unique_ptr<IncomingStream> incoming);
  [[nodiscard]] Banner banner() const;
  [[nodiscard]] TransportOptions transport_options();
  [[nodiscard]] bool is_authorised(const std::string& fingerprint) const;
  Task<void> confirm(std::string public_key_text);
  Task<ByteStreamPtr> start_tls(ByteStreamPtr link, Bytes already_read);

  Phone* phone_;
  DaemonOptions options_;
  Scope tasks_;
  std::vector<std::string> public_keys_;
  std::vector<std::string> fingerprints_;  // of public_keys_
  Signal keys_changed_;
  std::optional<RsaKey> key_;
  int connections_ = 0;
};

}  // namespace simdroid
