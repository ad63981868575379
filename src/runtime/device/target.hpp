#pragma once
// Names a device and the allowed ways to it: options and environment of a command.

#include "adbproto/client/device.hpp"
#include "runtime/device/device_row.hpp"

namespace clawperator {

// adb's -d and -e: only devices on USB; only those on TCP, emulators included.
enum class Reachable { any, usb, local };

// Actions need a running Android (adb's state `device`). adb's own commands accept recovery,
// sideload and any other state that answers. Questions about a list accept every state that the
// server lists.
enum class Readiness { android, any, listed };

struct Dialect;       // runtime/device/choice/choice.hpp
struct DialNote;      // runtime/device/known_phones.hpp
struct Surroundings;  // runtime/device/discovery/surroundings.hpp

struct TargetOptions {
  // Whether devices may be searched there.
  [[nodiscard]] bool uses(Transport source) const {
    return transport == Transport::automatic || transport == source;
  }

  std::optional<std::string> device;      // --device
  std::optional<std::string> adb_server;  // --adb-server, overrides the environment
  Transport transport = Transport::automatic;
  std::optional<std::uint64_t> transport_id;  // adb's -t; the server's numbers
  Reachable reachable = Reachable::any;
  Readiness readiness = Readiness::android;
  bool honour_android_serial = true;  // false where a device is already named
  bool start_server = false;          // --start-server
  bool server_is_absent = false;      // it did not answer a moment ago: not again
  // How long a person may take to accept our key on a phone that does not know it yet; zero: the
  // key is not offered. Only a chosen device gets the offer, never one that is only listed.
  std::chrono::milliseconds authorization_limit = std::chrono::seconds(30);
  // --accept-new: the phone that answers at an address replaces the known one there (meet_phone).
  bool accept_new = false;
  // Set by a caller that learns the identity anyhow. It calls meet_phone before acting, with this.
  std::shared_ptr<DialNote> meets_later{};
  std::optional<adbproto::EarlyOpen> early{};          // of a device that is reached directly
  std::function<void(std::string_view)> on_notice{};   // a line for the user who waits
  const Dialect* dialect = nullptr;                    // absent: our own
  std::shared_ptr<const Surroundings> surroundings{};  // absent: the real ones
};

// How much rows contain: `described` reads the identity of ready devices (ro.serialno, product).
enum class Detail { states, described };

}  // namespace clawperator
