#pragma once
// What became of an execution, as HTTP and the events tell it. Pure.

#include <optional>
#include <string>

#include "runtime/contract/envelope.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::serve {

struct Outcome {
  const Result<ExecuteResult>* result;
  std::optional<std::string> device_id;  // the one that was found, else the one that was asked for
  // JSON text, written once: a snapshot's is large. Empty where there is none.
  std::string envelope = *result ? to_json((*result)->envelope) : "";
  // What stands beside it in the answer; empty: nothing.
  JsonObject more{};
};

// 200 also for an envelope that has failed: the device has answered.
int http_status(const Outcome& outcome);

// {"ok":true,"envelope","deviceId","terminalSource","backend"?,...} or
// {"ok":false,"error","deviceId"?}
std::string outcome_json(const Outcome& outcome);

// {"deviceId","envelope"} once it was dispatched, whatever came of it: an error becomes an envelope
// that has failed. nullopt: nothing was dispatched.
std::optional<std::string> result_event(const Outcome& outcome, const Execution& execution);

// {"deviceId","input","result"}; `input` and `result` are JSON texts.
std::string execution_event(const Outcome& outcome, const std::string& input,
                            const std::string& result);

// All of it: the status and text of the answer, and the data of the events.
struct Told {
  int status = 200;
  std::string answer;
  std::optional<std::string> result;
  std::string execution;
};
// `execution` is nullptr for what could not be judged; `input` is what was asked for.
Told tell(const Result<ExecuteResult>& result, std::optional<std::string> device_id,
          const Execution* execution, const std::string& input, JsonObject more = {});

}  // namespace clawperator::serve
