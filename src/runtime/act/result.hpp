#pragma once
// The published JSON around what came of an execution.

#include "base/json_text.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

// What stands beside the envelope, where it is asked for.
struct Beside {
  bool timings = false;
  std::string_view more{};  // the text of an object whose members stand there, too
};

// "timings", also for an answer without an envelope.
void add_timings(JsonObject& json, const ExecuteResult& result);

// "data" of a step; of a snapshot "tree" instead, and what its first line does not say. Of a
// failure "error", "message".
void tell_step(JsonObject& json, const StepResult& step);

// NODE_NOT_FOUND for a node that is not there, however the app says so; else the code of the
// envelope or of its failed step, else EXECUTION_FAILED.
std::string failure_code(const Envelope& envelope);
// What a wait was for is not there.
bool is_awaited_in_vain(const Envelope& envelope);

// What a failed step says, else the envelope.
std::string failure_message(const Envelope& envelope);

// {"envelope","deviceId","terminalSource","isCanonicalTerminal"}, "backend" where it was not the
// Operator app, and what is asked for beside it.
std::string result_json(const ExecuteResult& result, const Beside& beside);

// {"ok"} and what else there is to say: "data" and "tree" of a plan that has one of each, else
// "steps", a list of {"id","ok","data","tree"}; "error" and "code" of a failure; "backend" where it
// was not the Operator app; what is asked for beside it. Steps that say nothing, and members that
// are empty, are left out, "ok" of steps unless it is false.
std::string brief_json(const ExecuteResult& result, const Beside& beside);

// {"ok","validated","execution"} and {"ok","dryRun","plan"}.
std::string validated_json(const Execution& execution);
std::string planned_json(const Execution& execution);

}  // namespace clawperator::act
