#pragma once
// An execution's turn at its phone: the place in line, and the lock that it holds to its end.

#include "runtime/device/lock_line.hpp"
#include "runtime/engine/phone.hpp"

namespace clawperator {

class Turn {
 public:
  Turn(ExecutionJob* job, ExecutionObserver* observer) : job_(job), observer_(observer) {}

  // Fails where the process has no room for another execution. Executions go in the order of
  // arrival.
  Task<void> arrive();
  // Waits in line for as long as the request's patience. `log`, where there is one, is read
  // meanwhile.
  Task<void> take(Phone* phone, DeviceFacts facts, CommandLog* log);
  // Makes the next execution wait a moment: the command may still be running.
  void settle();

 private:
  asio::awaitable<Error> add_last_tree(Error error, DeviceSession* session) const;

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  std::optional<InFlight> in_flight_;
  std::uint64_t arrival_ = 0;
  std::optional<LockLines> own_lines_;  // for a process that ends with the command
  std::optional<LockLines::Turn> turn_;
};

}  // namespace clawperator
