#pragma once
// A client of an adb server. Each exchange has its own connection, as the protocol requires; it is
// never pipelined and never half-closed. This class never starts a server, and only `kill` ends
// one.

#include "adbproto/client/device.hpp"
#include "adbproto/client/server_address.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/smart_socket.hpp"

namespace adbproto {

enum class ListFormat { brief, detailed };

// The blocks of host:track-devices: each next() is a complete new list.
class DeviceTracker {
 public:
  DeviceTracker(ByteStreamPtr stream, ListFormat format)
      : stream_(std::move(stream)), format_(format) {}
  Task<std::vector<DeviceLine>> next();

 private:
  ByteStreamPtr stream_;
  ListFormat format_;
  BlockReader blocks_;
};

// An older server does not know the request.
bool is_unknown_service(const Error& error);

class ServerClient {
 public:
  explicit ServerClient(ServerAddress address,
                        std::chrono::milliseconds limit = std::chrono::seconds(5))
      : address_(std::move(address)), limit_(limit) {}

  [[nodiscard]] const ServerAddress& address() const { return address_; }
  [[nodiscard]] std::chrono::milliseconds limit() const { return limit_; }

  // Errors of all functions: io when no server listens, refused with the server's text,
  // deadline_exceeded.
  // Servers from 1.0.31 on serve all of them: an older one has no details of devices and no
  // features.
  Task<int> version();
  Task<std::vector<DeviceLine>> devices(ListFormat format);
  Task<FeatureSet> host_features();
  Task<FeatureSet> features(std::string serial);
  Task<std::unique_ptr<DeviceTracker>> track_devices(ListFormat format);

  // The server itself waits up to 10 s for the device. Returns the server's sentence.
  Task<std::string> connect(std::string device_address);
  Task<std::string> disconnect(std::string device_address);
  // A verb that returns a text, of the server ("host-features") or of the device that `choice`
  // names
  // ("get-state").
  Task<std::string> query(DeviceChoice choice, std::string verb);
  // The server pairs by itself; returns its sentence. Fails with refused and its message.
  Task<std::string> pair(std::string code, std::string device_address);
  // forward() or a killforward verb of wire/services.hpp. Returns the port of a new tcp: listener,
  // else nothing.
  Task<std::string> change_forwards(DeviceChoice choice, std::string verb);
  // host:kill; only at the user's request.
  Task<void> kill();
  // The bytes of a tracker as they arrive.
  Task<ByteStreamPtr> track(std::string verb);

  // Switches a fresh connection to the device of `transport_request` (wire/services.hpp:
  // transport_serial and friends) and opens the device service on it.
  Task<ByteStreamPtr> open(std::string transport_request, std::string service);

  // A device in state `device`; reads its features. `serial` is its name in `devices`.
  Task<std::unique_ptr<Device>> device(std::string serial);
  // Finds the device by its transport id, because serials may repeat; `serial` is only its name,
  // and `place` goes into its facts.
  Task<std::unique_ptr<Device>> device(std::uint64_t transport_id, std::string serial,
                                       std::string place = {});
  // Chooses like adb; the serial may be unknown (empty).
  Task<std::unique_ptr<Device>> device(DeviceChoice choice);

 private:
  Task<std::string> text(std::string service, std::chrono::milliseconds limit,
                         ReplyShape shape = ReplyShape::text);

  ServerAddress address_;
  std::chrono::milliseconds limit_;
};

}  // namespace adbproto
