#pragma once
// Runs one task to its end on its own event loop. SIGINT, SIGTERM and SIGHUP cancel the task, and
// no further task begins in this process; an ignored SIGHUP (nohup) stays ignored. A second signal,
// more than 0.2 s later, ends the process in the ordinary way. After the task the signals get their
// old actions back, unless one of them has arrived.

#include "base/async/task.hpp"

namespace clawperator {
class Trace;
}

namespace clawperator::cli {

// The signal that cut work short in this process; 0 for none.
int caught_signal();
void note_signal(int signal);

// The trace of every task in this process, nullptr for none; it must outlive them.
void trace_tasks(Trace* trace);

// Returns an error if the work ended with an exception.
std::optional<Error> run_to_the_end(asio::awaitable<void> work);

template <class T>
Result<T> run_task(Task<T> task) {
  std::optional<Result<T>> result;
  auto thrown = run_to_the_end(base::parallel::keep(std::move(task), &result));
  if (thrown) return std::unexpected(*std::move(thrown));
  return *std::move(result);
}

}  // namespace clawperator::cli
