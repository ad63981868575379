// Lists the devices of the adb server, and those that are plugged in.

#include <adbproto/client/server_client.hpp>
#include <adbproto/link/usb_bus.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/io_context.hpp>
#include <base/system/environment.hpp>
#include <iostream>

namespace {

using namespace adbproto;

asio::awaitable<void> list_server(bool* listed) {
  const auto address = choose_server_address({}, base::environment_variable);
  if (!address) {
    std::cerr << address.error().message() << '\n';
    co_return;
  }
  const auto devices = co_await ServerClient(*address).devices(ListFormat::detailed);
  if (!devices) {
    std::cerr << devices.error().message() << '\n';
    co_return;
  }
  *listed = true;
  for (const DeviceLine& device : *devices) {
    std::cout << device.serial << ' ' << device.state << ' ' << device.model << '\n';
  }
}

asio::awaitable<void> list_usb(asio::any_io_executor executor) {
  const auto bus = UsbBus::start(executor);
  if (!bus) co_return;  // no USB here
  for (const UsbDevice& device : co_await (*bus)->devices()) {
    std::cout << device.address << ' ' << device.serial << ' ' << device.product << '\n';
  }
}

asio::awaitable<void> list_all(asio::any_io_executor executor, bool* listed) {
  co_await list_server(listed);
  co_await list_usb(executor);
}

}  // namespace

int main() {
  asio::io_context loop(1);
  bool listed = false;
  asio::co_spawn(loop, list_all(loop.get_executor(), &listed), asio::detached);
  loop.run();
  return listed ? 0 : 1;
}
