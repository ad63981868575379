#include "runtime/engine/execution_job.hpp"

#include <algorithm>

#include "runtime/contract/action_table.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/engine/ulid.hpp"

namespace clawperator {
namespace {

// Events are passed on during the execution: an app may put an operation's arguments into them.
void mask_events(ExecuteRequest& request, const Secrets* typed) {
  if (typed->empty()) return;
  if (request.on_event) {
    request.on_event = [typed, on_event = std::move(request.on_event)](std::string_view text) {
      on_event(typed->masked(text));
    };
  }
  if (request.on_stage) {
    request.on_stage = [typed, on_stage = std::move(request.on_stage)](const Stage& stage) {
      const std::string operation = typed->masked(stage.operation);
      const std::string detail = typed->masked(stage.detail);
      on_stage({stage.name, operation, detail});
    };
  }
}

}  // namespace

ExecutionJob::ExecutionJob(ExecuteRequest wanted)
    : request(std::move(wanted)),
      typed(typed_by(request.execution)),
      secrets(secrets_of(request.execution)) {
  typed.add(request.secrets);
  secrets.add(request.secrets);
  mask_events(request, &typed);
  result.execution_id = new_ulid();
  result.backend = request.backend;
  if (!is_by_shell()) dispatch_id = new_dispatch();
}

bool ExecutionJob::only_looks() const {
  return std::ranges::all_of(request.execution.actions, clawperator::only_looks, &Action::type);
}

std::chrono::milliseconds ExecutionJob::wait_limit() const {
  return std::chrono::milliseconds(static_cast<std::int64_t>(request.execution.timeout_ms)) +
         request.grace;
}

std::string ExecutionJob::new_dispatch() const {
  return request.dispatch_ids ? request.dispatch_ids() : new_dispatch_id();
}

}  // namespace clawperator
