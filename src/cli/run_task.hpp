#pragma once
// Runs one task to its end on an event loop of its own. SIGINT, SIGTERM and SIGHUP, unless the last
// is ignored (nohup), cancel the task once; a second signal ends the process the ordinary way. What
// they did before the task they do again after it, unless one of them came.

#include <array>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "adbproto/link/task.hpp"

namespace clawperator::cli {

// The signal that cut work short in this process, 0 for none.
int caught_signal();
void note_signal(int signal);

// Asio gives a signal that nobody waits for any more to the system, whose it may not have been.
class SignalActions {
 public:
  SignalActions();
  SignalActions(const SignalActions&) = delete;
  SignalActions& operator=(const SignalActions&) = delete;
  ~SignalActions();

  [[nodiscard]] bool hang_ups_are_ignored() const;

 private:
  std::array<struct sigaction, 3> before_{};
};

// What became of a task that ended with an exception.
Error error_of(std::exception_ptr exception);

template <class T>
Result<T> run_task(Task<T> task) {
  const SignalActions before;  // outlives the signal set
  asio::io_context context(1);
  asio::signal_set signals(context, SIGINT, SIGTERM);
  if (!before.hang_ups_are_ignored()) signals.add(SIGHUP);
  asio::cancellation_signal cancel;
  signals.async_wait([&](const asio::error_code& error, int signal) {
    if (error) return;
    note_signal(signal);
    asio::error_code ignored;
    signals.clear(ignored);
    cancel.emit(asio::cancellation_type::terminal);
  });
  Result<T> result = fail(errc::cancelled, "nothing was run");
  asio::co_spawn(context, std::move(task),
                 asio::bind_cancellation_slot(
                     cancel.slot(), [&](std::exception_ptr exception, Result<T> outcome) {
                       result = exception ? std::unexpected(error_of(std::move(exception)))
                                          : std::move(outcome);
                       signals.cancel();
                     }));
  context.run();
  return result;
}

}  // namespace clawperator::cli
