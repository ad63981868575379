#pragma once
// One execution: what is wanted, what came of it so far, and which of its texts are secret.

#include "runtime/contract/secrets.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// It stays where it is: the request's callbacks refer to it.
struct ExecutionJob {
  explicit ExecutionJob(ExecuteRequest wanted);
  ~ExecutionJob() = default;
  ExecutionJob(const ExecutionJob&) = delete;
  ExecutionJob& operator=(const ExecutionJob&) = delete;

  [[nodiscard]] bool is_by_shell() const { return request.backend == Backend::shell; }
  [[nodiscard]] bool only_looks() const;
  // How long the Operator's answer is waited for.
  [[nodiscard]] std::chrono::milliseconds wait_limit() const;
  [[nodiscard]] std::string new_dispatch() const;

  ExecuteRequest request;
  ExecuteResult result;
  Secrets typed, secrets;   // no event, log or error shows the former, no answer the latter
  std::string dispatch_id;  // of the dispatch that is under way, or comes next; by shell: none
  ServiceListing service = ServiceListing::unknown;  // asked when the app misses its service
  base::Clock::time_point start = base::Clock::now();
};

}  // namespace clawperator
