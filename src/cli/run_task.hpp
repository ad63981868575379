#pragma once
// Runs one task to its end on an event loop of its own. SIGINT, SIGTERM and SIGHUP, unless the last
// is ignored (nohup), cancel the task, and no further one begins in this process; a second signal
// ends the process the ordinary way. What they did before the task they do again after it, unless
// one of them came.

#include "base/async/task.hpp"

namespace clawperator {
class Trace;
}

namespace clawperator::cli {

// The signal that cut work short in this process, 0 for none.
int caught_signal();
void note_signal(int signal);

// What every task of this process is traced to, nullptr for none; it must outlive them.
void trace_tasks(Trace* trace);

// An error where the work ended with an exception.
std::optional<Error> run_to_the_end(asio::awaitable<void> work);

template <class T>
Result<T> run_task(Task<T> task) {
  std::optional<Result<T>> result;
  auto thrown = run_to_the_end(base::parallel::keep(std::move(task), &result));
  if (thrown) return std::unexpected(*std::move(thrown));
  return *std::move(result);
}

}  // namespace clawperator::cli
