#pragma once
// The parts that the routes to devices use: the real USB bus, key files and network by default,
// stand-ins in tests.

#include <asio/any_io_executor.hpp>

#include "adbproto/client/discovery.hpp"
#include "adbproto/client/key_store.hpp"
#include "adbproto/link/usb_bus.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct Surroundings {
  // Fails with `unsupported` where there is no USB; finding that out must cost nothing.
  std::function<Result<std::unique_ptr<adbproto::UsbBus>>(const asio::any_io_executor&)>
      start_usb{};
  adbproto::LoadKeys load_keys{};
  std::function<std::vector<std::string>()> known_hosts{};  // guids of paired devices
  std::function<Task<std::unique_ptr<adbproto::Discovery>>()> start_discovery{};
};

std::shared_ptr<const Surroundings> real_surroundings();

inline std::shared_ptr<const Surroundings> surroundings_of(const TargetOptions& options) {
  return options.surroundings ? options.surroundings : real_surroundings();
}

}  // namespace clawperator
