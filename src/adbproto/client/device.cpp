#include "adbproto/client/device.hpp"

#include "adbproto/client/transport_connection.hpp"

namespace adbproto {

Result<void> Device::on_incoming(std::function<void(std::unique_ptr<IncomingStream>)>) {
  return fail(errc::unsupported, "streams that a device opens come to its adb server");
}

void Device::lose(std::string) {}

asio::awaitable<void> Device::wait_lost() {
  Timer until_cancelled(co_await asio::this_coro::executor, Clock::time_point::max());
  co_await until_cancelled.async_wait(kNoThrow);
}

}  // namespace adbproto
