#pragma once
// One execution: the request, the result so far, and which of its texts are secret.

#include "runtime/contract/secrets.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/service_list.hpp"

namespace clawperator {

// It must not move: the request's callbacks refer to it.
struct ExecutionJob {
  explicit ExecutionJob(ExecuteRequest wanted);
  ~ExecutionJob() = default;
  ExecutionJob(const ExecutionJob&) = delete;
  ExecutionJob& operator=(const ExecutionJob&) = delete;

  [[nodiscard]] bool is_by_shell() const { return request.backend == Backend::shell; }
  [[nodiscard]] bool only_looks() const;
  // How long to wait for the Operator's answer.
  [[nodiscard]] std::chrono::milliseconds wait_limit() const;
  [[nodiscard]] std::string new_dispatch() const;

  ExecuteRequest request;
  ExecuteResult result;
  Secrets typed, secrets;   // no event, log or error shows the former, no answer the latter
  std::string dispatch_id;  // of the present or next dispatch; by shell: none
  ServiceListing service = ServiceListing::unknown;  // queried when the app misses its service
  base::Clock::time_point start = base::Clock::now();
};

}  // namespace clawperator
