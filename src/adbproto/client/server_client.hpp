#pragma once
// An adb server as its clients see it. One connection per exchange, as the protocol wants; never
// pipelined, never half-closed. The server is never started here, and
// killed by `kill` alone.

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

class ServerClient {
 public:
  explicit ServerClient(ServerAddress address,
                        std::chrono::milliseconds limit = std::chrono::seconds(5))
      : address_(std::move(address)), limit_(limit) {}

  [[nodiscard]] const ServerAddress& address() const { return address_; }
  [[nodiscard]] std::chrono::milliseconds limit() const { return limit_; }

  // Errors of all: io when no server listens, refused with the server's text, deadline_exceeded.
  Task<int> version();
  Task<std::vector<DeviceLine>> devices(ListFormat format);
  Task<FeatureSet> host_features();
  Task<FeatureSet> features(std::string serial);
  Task<std::unique_ptr<DeviceTracker>> track_devices(ListFormat format);

  // The server itself waits up to 10 s for the device. Returns its sentence.
  Task<std::string> connect(std::string device_address);
  Task<std::string> disconnect(std::string device_address);
  // A verb that answers a text, of the server ("host-features") or of the device that `choice`
  // names ("get-state").
  Task<std::string> query(DeviceChoice choice, std::string verb);
  // The server's sentence after a pairing of its own; refused with its words.
  Task<std::string> pair(std::string code, std::string device_address);
  // forward() or a killforward verb of wire/services.hpp; the port of a new tcp: listener, else
  // nothing.
  Task<std::string> change_forwards(DeviceChoice choice, std::string verb);
  // host:kill, only when the user requests it.
  Task<void> kill();
  // The bytes of a tracker as they come.
  Task<ByteStreamPtr> track(std::string verb);

  // Switches a fresh connection to the device that `transport_request` names
  // (wire/services.hpp: transport_serial and friends) and opens the device service on it.
  Task<ByteStreamPtr> open(std::string transport_request, std::string service);

  // A device in state `device`; reads its features. `serial` as `devices` lists it.
  Task<std::unique_ptr<Device>> device(std::string serial);
  // Finds it by transport id, which is unique where serials are not; `serial` is only its name,
  // `place` that of its facts.
  Task<std::unique_ptr<Device>> device(std::uint64_t transport_id, std::string serial,
                                       std::string place = {});
  // Chooses as adb does; the serial may be unknown (empty).
  Task<std::unique_ptr<Device>> device(DeviceChoice choice);

 private:
  Task<std::string> text(std::string service, std::chrono::milliseconds limit,
                         ReplyShape shape = ReplyShape::text);

  ServerAddress address_;
  std::chrono::milliseconds limit_;
};

}  // namespace adbproto
