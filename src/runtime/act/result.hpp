#pragma once
// The published JSON around the result of an execution.

#include "base/json_text.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

// Optional members beside the envelope.
struct Beside {
  bool timings = false;
  std::string_view more{};  // the text of an object whose members are added
};

// "timings", also for an answer without an envelope.
void add_timings(JsonObject& json, const ExecuteResult& result);

// "data" of a step. For a snapshot "tree" instead, and the data that the tree's first line does not
// contain; for a failed one "error", "message".
void write_step(JsonObject& json, const StepResult& step);

// NODE_NOT_FOUND for a missing node, whichever words the app uses; else the code of the envelope or
// of its failed step, else EXECUTION_FAILED.
std::string failure_code(const Envelope& envelope);
// Whether a wait ended without what it waited for.
bool is_awaited_in_vain(const Envelope& envelope);

// The failed step that the envelope's error is of; nullptr where the app reports none.
const StepResult* ending_step(const Envelope& envelope);

// The message of the failed step, else of the envelope.
std::string failure_message(const Envelope& envelope);

// {"envelope","deviceId","terminalSource","isCanonicalTerminal"}, "backend" where it was not the
// Operator app, and the members of `beside`.
std::string result_json(const ExecuteResult& result, const Beside& beside);

// {"ok"} and the rest of the result: "data" and "tree" of a plan that has one of each, else
// "steps", a list of {"id","ok","data","tree"}; "error" and "code" of a failure; "backend" where it
// was not the Operator app; the members of `beside`. Empty steps and empty members are left out,
// and "ok" of a step unless it is false.
std::string brief_json(const ExecuteResult& result, const Beside& beside);

// {"ok","validated","execution"} and {"ok","dryRun","plan"}.
std::string validated_json(const Execution& execution);
std::string planned_json(const Execution& execution);

}  // namespace clawperator::act
