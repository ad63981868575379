#pragma once
// One command from its arrival to its envelope.
//
//   queued --begin--> running --last step--> done       (envelope "success")
//      \                  \--thrown------->  done       (envelope "failed", no steps)
//       \------ deadline: received + timeoutMs ---> done (envelope "failed", no steps)

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/action_runner.hpp"

namespace simdroid {

class OperatorRun {
 public:
  // The pointers of `context` outlive the run; its timeline and log are this run's own.
  OperatorRun(Command command, ActionContext context, Time received);
  OperatorRun(const OperatorRun&) = delete;
  OperatorRun& operator=(const OperatorRun&) = delete;
  OperatorRun(OperatorRun&&) = delete;
  OperatorRun& operator=(OperatorRun&&) = delete;
  ~OperatorRun();

  void queued();         // another command holds the mutex
  void begin(Time now);  // the mutex is ours
  // Everything due until `now`; then either done() or wake_at() is later than `now`.
  void advance(Time now);

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] bool begun() const { return plan_.has_value(); }
  [[nodiscard]] Time wake_at() const;
  // What was logged since the last call.
  std::vector<LogRecord> take_log() { return std::exchange(log_, {}); }

 private:
  Routine<Attempt<bool>> plan();
  void write(LogKind kind, char priority, std::string message);
  void progress(char priority, std::string_view what, std::string_view rest = {});
  void finish(const Attempt<bool>& outcome);

  Command command_;
  Timeline timeline_;
  Time deadline_;
  bool done_ = false;
  std::vector<LogRecord> log_;
  std::vector<StepResult> results_;
  ActionRunner runner_;
  std::optional<Routine<Attempt<bool>>> plan_;
};

// `[Clawperator-Result] {...}`: `data` and `errorCode` are left out where empty.
std::string envelope_line(const Command& command, const std::vector<StepResult>& steps);
std::string failed_envelope_line(const Command& command, std::string_view error,
                                 std::string_view error_code = {});

}  // namespace simdroid
