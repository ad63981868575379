#include "cli/run_task.hpp"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/steady_timer.hpp>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>
#include <system_error>

#include "base/file_handle.hpp"
#include "runtime/trace/trace.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> first_signal = 0;
std::atomic<std::int64_t> first_signal_ms = 0;
std::atomic<int> wake_fd = -1;  // an eventfd of the running task
Trace* process_trace = nullptr;

sighandler_t handler_of(int signal) {
  struct sigaction now{};
  ::sigaction(signal, nullptr, &now);
  return now.sa_handler;
}

// `timeout` sends its signal to its child and then to its own group, so that it comes twice.
constexpr std::int64_t kSameSignalMs = 200;

std::int64_t monotonic_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
}

// Records a signal at any time, also between two loops. A second signal ends the process in the
// ordinary way.
void note_and_wake(int signal) {
  const int reason = errno;
  if (first_signal == 0) {
    first_signal_ms = monotonic_ms();
    first_signal = signal;
    ::eventfd_write(wake_fd, 1);
  } else if (monotonic_ms() - first_signal_ms > kSameSignalMs) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
  errno = reason;
}

void give_signals_back() {
  for (const int each : kSignals) {
    if (handler_of(each) == note_and_wake) std::signal(each, SIG_DFL);
  }
}

// Handles the signals during its lifetime; then restores their old actions, unless one has arrived.
class OwnSignals {
 public:
  OwnSignals() {
    wake_fd = wake_.get();
    struct sigaction action{};
    action.sa_handler = note_and_wake;
    for (std::size_t i = 0; i < kSignals.size() && first_signal == 0; ++i) {
      is_ours_[i] = kSignals[i] != SIGHUP || handler_of(SIGHUP) != SIG_IGN;
      if (is_ours_[i]) ::sigaction(kSignals[i], &action, &before_[i]);
    }
  }
  OwnSignals(const OwnSignals&) = delete;
  OwnSignals& operator=(const OwnSignals&) = delete;
  ~OwnSignals() {
    for (std::size_t i = 0; i < kSignals.size() && first_signal == 0; ++i) {
      if (is_ours_[i]) ::sigaction(kSignals[i], &before_[i], nullptr);
    }
    wake_fd = -1;
  }

  [[nodiscard]] int descriptor() const { return wake_.get(); }

 private:
  base::FileHandle wake_{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  std::array<struct sigaction, kSignals.size()> before_{};
  std::array<bool, kSignals.size()> is_ours_{};
};

Error stopped() { return {errc::cancelled, "stopped by a signal"}; }

// Several tasks that were cut short together give one exception with many parts.
Error error_of(std::exception_ptr exception) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const std::exception& error) {
    if (first_signal != 0) return stopped();
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
  const OwnSignals signals;
  if (first_signal != 0) return stopped();
  asio::io_context context(1);
  if (process_trace) process_trace->watch(context.get_executor());
  asio::posix::stream_descriptor wake(context, ::fcntl(signals.descriptor(), F_DUPFD_CLOEXEC, 0));
  asio::cancellation_signal cancel;
  // From then on others may handle a second signal (child_process).
  asio::steady_timer same_signal(context);
  wake.async_wait(asio::posix::stream_descriptor::wait_read, [&](const asio::error_code& error) {
    if (error) return;
    same_signal.expires_after(std::chrono::milliseconds(kSameSignalMs));
    same_signal.async_wait([](const asio::error_code& stopped_early) {
      if (!stopped_early) give_signals_back();
    });
    cancel.emit(asio::cancellation_type::terminal);
  });
  std::optional<Error> thrown;
  asio::co_spawn(context, std::move(work),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr exception) {
                   if (exception) thrown = error_of(std::move(exception));
                   asio::error_code ignored;
                   wake.cancel(ignored);
                   same_signal.cancel();
                 }));
  context.run();
  return thrown;
}

}  // namespace clawperator::cli
