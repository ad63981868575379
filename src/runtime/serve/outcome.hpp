#pragma once
// The outcome of an execution, as the HTTP answer and the events contain it. Pure.

#include "base/json_text.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::serve {

struct OutcomeReport {
  int status = 200;  // also of an envelope that has failed: the device has answered
  // {"ok":true,"envelope","deviceId","terminalSource","backend"?,...} or
  // {"ok":false,"error","deviceId"?}
  std::string answer{};
  // {"deviceId","envelope"} once it was dispatched, whatever came of it: an error becomes an
  // envelope that has failed. nullopt: nothing was dispatched.
  std::optional<std::string> result{};
  std::string execution{};  // {"deviceId","input","result"}
};

// The executed plan as events contain it, without secrets.
std::string published_execution(Execution execution, const Result<ExecuteResult>& result);

// `device_id` is the device that was found, else the requested one. `execution` is nullptr where
// the plan could not be judged. `input` is the requested plan as JSON text. `more` stands beside
// the envelope.
OutcomeReport report_of(const Result<ExecuteResult>& result,
                        const std::optional<std::string>& device_id, const Execution* execution,
                        const std::string& input, const JsonObject& more = {});

}  // namespace clawperator::serve
