#include "cli/run_task.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::cli;
using adbproto::Task;

namespace {

void some_handler(int) {}

Task<int> seven() { co_return 7; }

// What SIGINT and SIGTERM do, while the test has them do something else.
class Borrowed {
 public:
  explicit Borrowed(sighandler_t handler)
      : interrupt_(std::signal(SIGINT, handler)), terminate_(std::signal(SIGTERM, handler)) {}
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGTERM, terminate_);
  }

 private:
  sighandler_t interrupt_, terminate_;
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
    CHECK(run_task(seven()).value() == 7);
    CHECK(action_of(SIGINT) == handler);
    CHECK(action_of(SIGTERM) == handler);
    CHECK(run_task(seven()).value() == 7);
    CHECK(action_of(SIGINT) == handler);
  }
}
