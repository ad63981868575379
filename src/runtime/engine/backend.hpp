#pragma once
// The interface of the two backends. engine.cpp has the stages that both share; each backend has a
// folder of its own, which includes this header.

#include "runtime/engine/command_log.hpp"
#include "runtime/engine/phone.hpp"

namespace clawperator {

class ExecutionBackend {
 public:
  virtual ~ExecutionBackend() = default;

  // Queries that run beside the stages and depend on no other query, if there are any. Never ends
  // by itself.
  [[nodiscard]] virtual bool asks_beside() const { return false; }
  virtual asio::awaitable<void> ask_beside() { return base::until_cancelled(); }

  // All preparation that changes nothing on the phone. Returns the identity for the turn; nullopt:
  // the plan needs no turn, and act() does nothing on the phone.
  virtual Task<std::optional<DeviceFacts>> prepare() = 0;
  // The log to read while the execution waits for its turn, if there is one.
  virtual CommandLog* log() { return nullptr; }
  // Carries out the plan, and puts the envelope into the job's result.
  virtual Task<void> act() = 0;
  // The phone may still be busy with the plan.
  [[nodiscard]] virtual bool may_be_running() const = 0;
};

// What a backend works with; all of it outlives the backend.
struct BackendParts {
  ExecutionJob* job;
  ExecutionObserver* observer;
  Phone* phone;
  asio::any_io_executor executor;
};

// Made once the phone is there.
std::unique_ptr<ExecutionBackend> make_operator_backend(const BackendParts& parts);
std::unique_ptr<ExecutionBackend> make_shell_backend(const BackendParts& parts);

}  // namespace clawperator
