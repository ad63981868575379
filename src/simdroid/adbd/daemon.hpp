#pragma once
// The phone's adbd: takes links, shakes hands as a device, runs the services that hosts open.
//
//   Listener --link--> attach() -> TransportConnection -> PeerOpened -> find_service() -> coroutine

#include <string>

#include "adbproto/link/scope.hpp"
#include "simdroid/adbd/device_link.hpp"
#include "simdroid/adbd/service.hpp"

namespace simdroid {

// What a current adbd announces, as far as it is implemented here.
FeatureSet all_features();

struct DaemonOptions {
  FeatureSet features = all_features();
  std::uint32_t max_payload = kMaxPayload;
  CloseCount closes = CloseCount::twice;
};

class Daemon {
 public:
  // `phone` must outlive this.
  Daemon(Phone* phone, DaemonOptions options)
      : phone_(phone), options_(std::move(options)), tasks_(phone->executor) {}

  // Serves one host until either side is gone.
  void attach(ByteStreamPtr link);

  // Ends all links and services; required before destruction once a link was attached.
  asio::awaitable<void> stop();

 private:
  asio::awaitable<void> serve(ByteStreamPtr link);
  void open(const ConnectionPtr& connection, std::unique_ptr<IncomingStream> incoming);
  [[nodiscard]] Banner banner() const;

  Phone* phone_;
  DaemonOptions options_;
  Scope tasks_;
  int connections_ = 0;
};

}  // namespace simdroid
