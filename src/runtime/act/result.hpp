#pragma once
// The published JSON around what came of an execution.

#include <string>
#include <string_view>

#include "runtime/contract/execution.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::act {

// What stands beside the envelope, where it is asked for.
struct Beside {
  bool timings = false;
  bool route = false;
  std::string_view more{};  // the text of an object whose members stand there, too
};

// {"envelope","deviceId","terminalSource","isCanonicalTerminal"}, "backend" where it was not the
// Operator app, and what is asked for beside it.
std::string result_json(const ExecuteResult& result, const Beside& beside);

// {"ok","validated","execution"} and {"ok","dryRun","plan"}.
std::string validated_json(const Execution& execution);
std::string planned_json(const Execution& execution);

}  // namespace clawperator::act
