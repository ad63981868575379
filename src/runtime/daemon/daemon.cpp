#include "runtime/daemon/daemon.hpp"

#include "runtime/contract/errc.hpp"

namespace clawperator::daemon {
namespace {

// As long as the longest execution, what is waited for its result beyond it, and pictures before
// and after it.
constexpr std::chrono::milliseconds kPatience{165000};

asio::awaitable<void> until_idle(Door* door, std::optional<std::chrono::milliseconds> limit) {
  if (limit) {
    co_await door->wait_for_idleness(*limit);
  } else {
    for (;;) co_await sleep_for(std::chrono::hours(1));
  }
}

Task<void> answer_commands(Supervisor* devices, DaemonOptions* options) {
  using namespace adbproto::parallel;
  const auto executor = co_await asio::this_coro::executor;
  DeviceSessions sessions(executor, supervised(devices));
  adbproto::Signal stop(executor);
  CO_TRY(const auto door, Door::open(executor, {.surface = options->surface,
                                                .devices = devices,
                                                .sessions = &sessions,
                                                .log = options->log,
                                                .on_stop = [&stop] { stop.notify_all(); },
                                                .passed = std::move(options->passed)}));
  if (options->on_listening) options->on_listening();
  // Cancelled, one of the two ends without an exception.
  co_await (stop.wait() || until_idle(door.get(), options->idle_limit));
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  sessions.lines().close();
  co_await door->stop(kPatience);
  co_await sessions.stop();
  co_return ok();
}

}  // namespace

Task<void> run_daemon(DaemonOptions options) {
  const SupervisorOptions supervised{.target = options.target};
  DaemonOptions* lasting = &options;
  std::function<Task<void>(Supervisor*)> work = [lasting](Supervisor* devices) {
    return answer_commands(devices, lasting);
  };
  co_return co_await with_supervisor<void>(supervised, std::move(work));
}

}  // namespace clawperator::daemon
