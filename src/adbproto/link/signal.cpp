#include "adbproto/link/signal.hpp"

namespace adbproto {

Signal::Signal(const asio::any_io_executor& executor)
    : timer_(executor, Clock::time_point::max()) {}

asio::awaitable<void> Signal::wait() { co_await timer_.async_wait(kNoThrow); }

void Signal::notify_all() { timer_.cancel(); }

}  // namespace adbproto
