#pragma once
// Who carries a plan out. engine.cpp has the stages that both have; each backend has its folder,
// which stands on this one.

#include "runtime/engine/command_log.hpp"
#include "runtime/engine/phone.hpp"

namespace clawperator {

class ExecutionBackend {
 public:
  virtual ~ExecutionBackend() = default;

  // What is asked while the stages go on, and waits for no other's answer, if anything is. Never
  // ends by itself.
  [[nodiscard]] virtual bool asks_beside() const { return false; }
  virtual asio::awaitable<void> ask_beside() { return base::until_cancelled(); }

  // Whatever changes nothing on the phone. What its turn is named by; nullopt: it needs no turn,
  // and act() does nothing on the phone.
  virtual Task<std::optional<DeviceFacts>> prepare() = 0;
  // What is read while the turn is waited for, if anything is.
  virtual CommandLog* log() { return nullptr; }
  // The plan, up to the envelope in the job's result.
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
