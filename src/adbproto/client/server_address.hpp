#pragma once
// The address of the adb server, in the spellings that adb accepts.

#include "base/async/byte_stream.hpp"
#include "base/error.hpp"

namespace adbproto {

struct ServerAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 5037;
  std::string path;  // a unix socket when not empty

  [[nodiscard]] std::string to_string() const;
  bool operator==(const ServerAddress&) const = default;
};

// "tcp:host:port", "tcp:port", "tcp:[v6]:port", "localfilesystem:path"; also plain "host:port" and
// "port". Fails with invalid_argument, naming the text.
Result<ServerAddress> parse_server_address(std::string_view spec);

using GetEnvironment = std::function<std::optional<std::string>(const char* name)>;

// `flag`, else ADB_SERVER_SOCKET, else ANDROID_ADB_SERVER_ADDRESS and ANDROID_ADB_SERVER_PORT,
// else 127.0.0.1:5037. Empty variables count as unset.
Result<ServerAddress> choose_server_address(const std::optional<std::string>& flag,
                                            const GetEnvironment& environment);

// True if the user names a server, which may be another computer's behind a tunnel. Another port
// alone (ANDROID_ADB_SERVER_PORT) names none: that is a server of this computer.
bool is_server_named(const std::optional<std::string>& flag, const GetEnvironment& environment);

// "host:port", "[v6]:port", "host" (port 5555): an address of adbd.
struct DeviceAddress {
  std::string host;
  std::uint16_t port = 5555;

  [[nodiscard]] std::string to_string() const;
  bool operator==(const DeviceAddress&) const = default;
};
Result<DeviceAddress> parse_device_address(std::string_view text);
// A name with a port, which can be dialled without a `connect` before it. `usb:1` is a place, and
// `model:5` a description.
bool is_device_address(const std::string& name);

Task<ByteStreamPtr> connect_server(ServerAddress address);

}  // namespace adbproto
