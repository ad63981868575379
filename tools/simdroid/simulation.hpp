#pragma once
// A simulated phone that hosts connect to, as one object: for the program `simdroid`, and for tests
// that run it in their own process.
//
//   hosts --TCP or memory link--> adbd --> userland --> phone { screens, Operator app, log, files }
//   control socket or `simctl` on the phone's shell ------^ faults, counters

#include <asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/session/handshake.hpp"
#include "base/async/byte_stream.hpp"
#include "simdroid/device/phone_profile.hpp"
#include "simdroid/operator/operator_version.hpp"
#include "simdroid/profile.hpp"
#include "simdroid/wireless/wireless.hpp"

namespace simdroid {

class Phone;

struct SimOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 5555;  // 0: the system chooses
  Profile profile = Profile::zero;
  const PhoneProfile* phone = &default_phone_profile();
  std::uint64_t seed = 1;
  std::string screens;  // a directory of screen files on top of the bundled ones
  std::string control;  // a TCP port ("0": chosen) or the path of a unix socket; empty: none
  std::string serial = "SIM0DROID1";
  std::string operator_version{kDefaultOperator};  // 0.12.5  0.12.5,1.0.0  none
  std::vector<std::string> features_off;
  bool second_close = true;  // close ended streams twice, as adbd does
  std::uint32_t max_payload = 1 << 20;
  // The hosts that the phone accepts: all, hosts with an authorised key, or those over TLS.
  adbproto::Admission auth = adbproto::Admission::open;
  std::string authorised{};  // a file of public keys, a line each; empty: none
  std::optional<std::chrono::milliseconds> confirm_after{};  // a key that is offered; absent: never
  WirelessOptions wireless{};                                // pairing port, mDNS
};

class Simulation {
 public:
  // invalid_argument: the screen files or the authorised keys are wrong.
  static Result<std::unique_ptr<Simulation>> create(const asio::any_io_executor& executor,
                                                    const SimOptions& options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Listens and accepts in the background; the port, or io when it is taken.
  Result<std::uint16_t> listen();
  // The control socket of the options; its port (0 for a unix socket).
  Result<std::uint16_t> listen_control();
  // The pairing port and the announcements of the options, after listen(); the port (0: none).
  Result<std::uint16_t> start_wireless();
  // One link that exists already, such as the end of a memory pair.
  void attach(adbproto::ByteStreamPtr link);

  // Accepts one more host; the text is that of its adbkey.pub.
  Result<void> authorise(const std::string& public_key_text);
  // The phone's own key, as it shows it over TLS and while pairing.
  Result<adbproto::RsaKey> key();

  // Ends everything; required before destruction.
  asio::awaitable<void> stop();

  [[nodiscard]] Phone& phone();

 private:
  struct Parts;
  explicit Simulation(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

// The ports of the phone; 0 for those that were not requested.
struct Ports {
  std::uint16_t hosts = 0;
  std::uint16_t control = 0;
  std::uint16_t pairing = 0;
};

// Runs until cancelled; reports the ports once it listens.
Task<void> serve(SimOptions options, std::function<void(const Ports&)> on_listening);

}  // namespace simdroid
