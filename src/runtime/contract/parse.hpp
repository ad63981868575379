#pragma once
// JSON text to a validated Execution and back. Pure; nothing is dispatched when this fails.

#include "base/error.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator {

// 16 times kMaxPayloadBytes: blanks and \u escapes make a plan's text longer.
inline constexpr std::size_t kMaxExecutionText = 1 << 20;

// Aliases, schema, semantic rules, in the published order; the first issue decides the message and
// details.path, details.reason lists all. Fails with execution_validation_failed; with
// payload_too_large when the text itself is beyond kMaxExecutionText.
Result<Execution> parse_execution(std::string_view text);
// The same limits and rules for an execution that was built in this program: its texts become valid
// UTF-8, its selectors are read.
Result<void> judge_execution(Execution& execution);

// Replaces the execution's timeout: finite and within 1000..120000.
Result<Execution> override_timeout(Execution execution, double timeout_ms);

// No close_app may name the app that runs the plan.
Result<void> check_operator_is_kept(const Execution& execution,
                                    const NamedOperator& operator_package);

// The text that is sent, with its own id, has at most 64000 bytes of UTF-8; payload_too_large
// otherwise.
Result<void> check_size(const Execution& execution);

// Compact JSON in schema key order: the text for the device.
std::string to_json(const Execution& execution);
// The same with the parameters that the device never sees: parse_execution reads the same
// execution.
std::string payload_json(const Execution& execution);

// {"commandId","timeoutMs","actionCount","actions":[{id,type,params?}]}, the `plan` of --dry-run.
std::string plan_json(const Execution& execution);

}  // namespace clawperator
