#include "cli/run_task.hpp"

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/signal_set.hpp>
#include <csignal>
#include <exception>
#include <system_error>

#include "runtime/contract/errc.hpp"
#include "runtime/trace/trace.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

int first_signal = 0;  // written on the event loop, read after it has ended
Trace* process_trace = nullptr;

// Asio gives a signal that nobody waits for any more to the system, whose it may not have been.
class SignalActions {
 public:
  SignalActions() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
    }
  }
  SignalActions(const SignalActions&) = delete;
  SignalActions& operator=(const SignalActions&) = delete;
  ~SignalActions() {
    if (first_signal != 0) return;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &before_[i], nullptr);
    }
  }

  [[nodiscard]] bool hang_ups_are_ignored() const { return before_.back().sa_handler == SIG_IGN; }

 private:
  std::array<struct sigaction, kSignals.size()> before_{};
};

// Several tasks that were cut short together are one exception of many.
Error error_of(std::exception_ptr exception) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const std::exception& error) {
    if (first_signal != 0) return {errc::cancelled, "stopped by a signal"};
    return {errc::unknown, std::string("Error: ") + error.what()};
  } catch (...) {
    return {errc::unknown, "Error: an exception of an unknown kind"};
  }
}

}  // namespace

int caught_signal() { return first_signal; }

void note_signal(int signal) { first_signal = signal; }

void trace_tasks(Trace* trace) { process_trace = trace; }

std::optional<Error> run_to_the_end(asio::awaitable<void> work) {
  const SignalActions before;  // outlives the signal set
  asio::io_context context(1);
  if (process_trace) process_trace->watch(context.get_executor());
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
  std::optional<Error> thrown;
  asio::co_spawn(context, std::move(work),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr exception) {
                   if (exception) thrown = error_of(std::move(exception));
                   signals.cancel();
                 }));
  context.run();
  return thrown;
}

}  // namespace clawperator::cli
