#pragma once
// The executions that commands generate, as JSON text that the contract then parses and judges
// exactly like a caller's own.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "cli/grammar/command.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator::cli {

struct Draft {
  std::string json;
  // Replaces the execution's timeout after validation, with that rule's own messages.
  std::optional<double> timeout_override;
};

struct ExecutionHead {
  std::string command_id;
  std::string task_id;
  std::string_view source;
  double timeout_ms = 30000;
  bool direct = false;  // "mode":"direct"
};

// An execution of one action. `params` is the text of a JSON object, empty for none.
std::string single_action(const ExecutionHead& head, std::string_view id, std::string_view type,
                          std::string_view params);

// The contract's whole judgement: parse, override, size.
Result<Execution> judge(const Draft& draft);

// `--timeout` where the published contract checks it before building: absent or finite.
Result<double> finite_timeout_or(const Globals& globals, double otherwise);

std::unexpected<Error> validation_error(std::string message);

}  // namespace clawperator::cli
