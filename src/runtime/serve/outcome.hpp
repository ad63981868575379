#pragma once
// What became of an execution, as HTTP and the events tell it. Pure.

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

// What was carried out, as events tell it: without what is secret.
std::string published_execution(Execution execution, const Result<ExecuteResult>& result);

// `device_id` is the device that was found, else the one that was asked for; `execution` is nullptr
// for what could not be judged; `input` is what was asked for, as JSON text; `more` stands beside
// the envelope.
OutcomeReport report_of(const Result<ExecuteResult>& result,
                        const std::optional<std::string>& device_id, const Execution* execution,
                        const std::string& input, const JsonObject& more = {});

}  // namespace clawperator::serve
