#pragma once
// From what a verb asks to its answer: the engine's one run and the published wrapper around its
// envelope.

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "cli/afterwards.hpp"
#include "cli/grammar/command.hpp"
#include "cli/selector.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

// The judged execution of an action, with the invocation's stamp and timeout.
Result<Execution> execution_for(const Invocation& invocation, const act::Action& action,
                                std::optional<act::ThenLook> then = std::nullopt);
// What is typed into a field that was seen to be one for passwords is secret.
void mark_seen_passwords(const Invocation& invocation, Execution& execution);
// Everything but `execution` comes from the invocation.
ExecuteRequest request_for(const Invocation& invocation, Execution execution);

// Runs it, with the log the invocation asks for; the engine's warnings go to stderr.
Result<ExecuteResult> dispatch(const Invocation& invocation, ExecuteRequest request);

// `more` is the text of an object whose members stand beside the envelope, empty for none.
Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view more = {});

// --dry-run and --validate-only, where the command has them, stop before any device is looked for.
std::optional<Answer> answer_without_device(const Arguments& arguments, const Execution& execution);

// A screen that a command looked at, and how that went.
struct Look {
  UiTree screen;
  ExecuteResult result;

  // For a screen whose hash is told: so that it can be referred to.
  void keep() const;
  // --timings, where it is given.
  void tell_how(const Globals& globals, JsonObject& json) const;
};
// Whatever the invocation does from now on is done on that device.
Result<Look> look(Invocation* invocation);

// The whole way for a command that is nothing but its action. `more` stands beside the envelope.
Result<Answer> run_action(const Invocation& invocation, const act::Action& action,
                          JsonObject more = {});

// The screen of a device after something was done there without an execution, as `--snapshot` wants
// it and as act::tell_step tells it, or "warn": what was done was done. Empty where nobody wants
// it.
JsonObject screen_after(const Invocation& invocation, const std::string& device_id,
                        const std::optional<Afterwards>& afterwards);

// A Command::run made of what the command asks (verbs.hpp).
template <auto ask>
Result<Answer> run_verb(const Invocation& given) {
  const Invocation invocation = with_whole_names(given);
  TRY(const act::Action action, ask(invocation));
  return run_action(invocation, action);
}

}  // namespace clawperator::cli
