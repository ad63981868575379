#pragma once
// A condition for coroutines of one thread: wait() sleeps until notify_all(). A notification with
// nobody waiting is lost, so waiters look at their condition in a loop.

#include "adbproto/link/task.hpp"

namespace adbproto {

class Signal {
 public:
  explicit Signal(const asio::any_io_executor& executor);

  // Returns when notified; also when the waiting coroutine is cancelled.
  asio::awaitable<void> wait();
  void notify_all();

 private:
  Timer timer_;
};

}  // namespace adbproto
