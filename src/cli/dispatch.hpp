#pragma once
// From a command's options to a Request, and from its Outcome to the command's Answer.

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "cli/grammar/command.hpp"
#include "cli/run_task.hpp"
#include "cli/screen_options.hpp"
#include "runtime/act/look.hpp"
#include "runtime/act/perform.hpp"

namespace clawperator::cli {

// Reads the options for device, backend, time, `--ref`, `--nth`, `--snapshot` and `--verify`.
Result<act::Request> request_for(const Invocation& invocation,
                                 std::variant<Action, act::Payload> what);

// Calls `work` with an executor: a daemon of this user, or this process.
void with_executor(const Globals& globals, const std::function<void(Executor*)>& work);
// The same for one task.
template <class T>
Result<T> run_with_executor(const Globals& globals, const std::function<Task<T>(Executor*)>& work) {
  std::optional<Result<T>> result;
  with_executor(globals, [&](Executor* executor) { result = run_task(work(executor)); });
  return *std::move(result);
}

// Runs act::perform() or act::observe_screen() with that executor to its end.
using PerformRequest = asio::awaitable<act::Outcome> (*)(Executor*, act::Request);
act::Outcome perform(const Globals& globals, act::Request request,
                     PerformRequest perform_request = act::perform);

// `beside` is an object's text: its members stand beside the envelope; empty for none.
Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view beside = {});
// With everything in the outcome. Exit 1 also if the effect is not the verified one.
Answer answer_for(const Invocation& invocation, const act::Outcome& outcome);

// With --dry-run and --validate-only a command stops before it searches for a device.
Result<std::optional<Answer>> answer_without_device(const Arguments& arguments,
                                                    const act::Request& request);

// Runs a command that consists of one action.
Result<Answer> run_action(const Invocation& invocation, Action action);

// The screen after a command without an execution, for `--snapshot`. If it cannot be read, the
// object has "warn", because the command itself has succeeded. Empty without --snapshot.
JsonObject screen_after(const Invocation& invocation, const std::string& device_id,
                        const ScreenOptions& screen);

// A Command::run from the verb's action (verbs.hpp).
template <auto action_from>
Result<Answer> run_verb(const Invocation& invocation) {
  TRY(Action action, action_from(invocation));
  return run_action(invocation, std::move(action));
}

}  // namespace clawperator::cli
