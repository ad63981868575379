#include "cli/run_task.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace clawperator::cli;
using namespace adbproto;
using namespace std::chrono_literals;

namespace {

void some_handler(int) {}

Task<int> seven() { co_return 7; }

Task<int> sleep_twice(adbproto::Clock::duration duration) {
  co_await sleep_for(duration);  // Real time: run_task has a loop of its own, and real signals.
  co_await sleep_for(adbproto::Clock::duration::zero());
  co_return 7;
}

Task<int> raise_and_sleep(int signal, adbproto::Clock::duration duration) {
  std::raise(signal);
  co_return co_await sleep_twice(duration);
}

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

// What the signals do, while the test has them do something else.
class Borrowed {
 public:
  explicit Borrowed(sighandler_t handler) {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) {
      before_[i] = std::signal(kSignals[i], handler);
    }
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    for (std::size_t i = 0; i < std::size(kSignals); ++i) std::signal(kSignals[i], before_[i]);
    note_signal(0);
  }

 private:
  sighandler_t before_[std::size(kSignals)] = {};
};

sighandler_t action_of(int signal) {
  struct sigaction action{};
  ::sigaction(signal, nullptr, &action);
  return action.sa_handler;
}

}  // namespace

TEST_CASE("run_task: after it signals do what they did before, task after task") {
  for (const sighandler_t handler : {some_handler, SIG_IGN, SIG_DFL}) {
    const Borrowed signals(handler);
    for (int i = 0; i < 2; ++i) {
      CHECK(run_task(seven()).value() == 7);
      for (const int signal : kSignals) CHECK(action_of(signal) == handler);
    }
  }
}

TEST_CASE("run_task: each of its signals cancels the task and is reported") {
  for (const int signal : kSignals) {
    const Borrowed signals(SIG_DFL);
    CHECK(run_task(raise_and_sleep(signal, 60s)).error().code() == errc::cancelled);
    CHECK(caught_signal() == signal);
  }
}

TEST_CASE("run_task: tasks that are cut short together end with one plain message", "[F69]") {
  using namespace base::parallel;
  const Borrowed signals(SIG_DFL);
  const auto both = []() -> Task<int> {
    const auto [one, other] = co_await (raise_and_sleep(SIGTERM, 60s) && sleep_twice(60s));
    co_return one.value_or(0) + other.value_or(0);
  };
  CHECK(run_task(both()).error() == Error(errc::cancelled, "stopped by a signal"));
}

TEST_CASE("run_task: who ignores hang-ups (nohup) is not hung up") {
  const Borrowed signals(SIG_IGN);
  CHECK(run_task(raise_and_sleep(SIGHUP, 10ms)).value() == 7);
  CHECK(caught_signal() == 0);
}

TEST_CASE("run_task: after a signal no task begins") {
  for (const int signal : kSignals) {
    const Borrowed signals(SIG_DFL);
    note_signal(signal);
    bool begun = false;
    const auto task = [&]() -> Task<int> {
      begun = true;
      co_return 7;
    };
    CHECK(run_task(task()).error() == Error(errc::cancelled, "stopped by a signal"));
    CHECK_FALSE(begun);
    CHECK(caught_signal() == signal);
  }
}

TEST_CASE("run_task: a signal that comes as a task ends lets no further one begin") {
  for (const int signal : kSignals) {
    const Borrowed signals(SIG_DFL);
    const auto ending = [signal]() -> Task<int> {
      std::raise(signal);
      co_return 7;
    };
    CHECK(run_task(ending()).value() == 7);
    CHECK(caught_signal() == signal);
    CHECK(run_task(seven()).error() == Error(errc::cancelled, "stopped by a signal"));
  }
}

TEST_CASE("run_task: a second signal ends the process, but not one that comes twice at once") {
  for (const auto pause : {0ms, 400ms}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      std::signal(SIGTERM, SIG_DFL);
      const auto raise_twice = [pause]() -> Task<int> {
        std::raise(SIGTERM);
        std::this_thread::sleep_for(pause);  // Real time: real signals.
        std::raise(SIGTERM);
        co_return 7;
      };
      std::ignore = run_task(raise_twice());
      ::_exit(3);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const bool is_one = pause == 0ms;
    CHECK(WIFSIGNALED(status) != is_one);
    CHECK((is_one ? WEXITSTATUS(status) : WTERMSIG(status)) == (is_one ? 3 : SIGTERM));
  }
}
