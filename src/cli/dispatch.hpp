#pragma once
// From a judged execution to the answer: the engine's one run and the published wrapper around
// its envelope.

#include <functional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/draft.hpp"
#include "cli/grammar/command.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {

// Everything but `execution` comes from the invocation.
ExecuteRequest request_for(const Invocation& invocation, Execution execution);
// What `judge` says of it, and that it does not stop the Operator app that is to run it.
Result<Execution> judge_for(const Invocation& invocation, const Draft& draft);

// Runs it, with the log the invocation asks for; the engine's warnings go to stderr.
Result<ExecuteResult> dispatch(const Invocation& invocation, ExecuteRequest request);

// {"envelope","deviceId","terminalSource","isCanonicalTerminal"} and what flags ask for beside it.
// `more` is the text of an object whose members stand beside the envelope, empty for none.
Answer answer_for(const Invocation& invocation, const ExecuteResult& result,
                  std::string_view more = {});

// {"ok","validated","execution"} and {"ok","dryRun","plan"}.
Answer validated_answer(const Execution& execution);
Answer planned_answer(const Execution& execution);

// The whole way for a command that is nothing but its draft: --validate-only and --dry-run, where
// the command has them, stop before any device is looked for.
Result<Answer> run_draft(const Invocation& invocation, const Draft& draft);

// A Command::run made of a draft function.
template <Result<Draft> (*make_draft)(const Invocation&)>
Result<Answer> run_drafted(const Invocation& invocation) {
  TRY(const Draft draft, make_draft(invocation));
  return run_draft(invocation, draft);
}

}  // namespace clawperator::cli
