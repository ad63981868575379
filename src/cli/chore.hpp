#pragma once
// What the commands share that work on one device without an execution: `--timeout` as the limit
// of the whole work.

#include <chrono>
#include <optional>
#include <utility>

#include "adbproto/link/task.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/run_task.hpp"

namespace clawperator::cli {

using ChoreLimit = std::optional<std::chrono::milliseconds>;

// Absent when --timeout is. Any time up to an hour: chores are no executions, whose range is
// narrower.
Result<ChoreLimit> chore_limit(const Globals& globals);

// COMMAND_TIMEOUT when the time is up.
template <class T>
Task<T> within(Task<T> task, ChoreLimit limit, std::string what) {
  if (!limit) co_return co_await std::move(task);
  co_return co_await with_deadline(std::move(task), *limit, std::move(what));
}

template <class T>
Result<T> run_chore(const Globals& globals, Task<T> task, std::string what) {
  TRY(const ChoreLimit limit, chore_limit(globals));
  return run_task(within(std::move(task), limit, std::move(what)));
}

}  // namespace clawperator::cli
