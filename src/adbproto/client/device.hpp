#pragma once
// One Android device, however it is reached: services are opened by name and become streams.

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "adbproto/link/byte_stream.hpp"
#include "adbproto/link/task.hpp"
#include "adbproto/wire/banner.hpp"

namespace adbproto {

class Device {
 public:
  virtual ~Device() = default;

  // A service such as "shell,v2,raw:id". Fails with refused (the device said no), unsupported
  // (a name that crashes peers: `spin`, `dev:`, unknown `reverse:` verbs), limit (too long for
  // this route), closed or io.
  virtual Task<ByteStreamPtr> open(std::string service) = 0;

  [[nodiscard]] virtual const std::string& serial() const = 0;
  [[nodiscard]] virtual const FeatureSet& features() const = 0;
  [[nodiscard]] virtual std::string_view route() const = 0;  // "server" or "tcp"

  // The longest service name this route carries.
  [[nodiscard]] virtual std::size_t max_service_size() const = 0;
};

}  // namespace adbproto
