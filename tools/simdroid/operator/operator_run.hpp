#pragma once
// One command from its arrival to its envelope.
//
//   queued --begin--> running --last step--> published   (envelope "success")
//      \                  \--thrown------->  published   (envelope "failed")
//       \------ deadline: received + timeoutMs ---> published (envelope "failed")
//
//   published --every record of the envelope is written--> done
//
// A failed envelope has the steps so far since 0.10, none before.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/action_runner.hpp"
#include "simdroid/operator/publication.hpp"

namespace simdroid {

class OperatorRun {
 public:
  // The pointers outlive the run; the timeline and log of `context` are this run's own.
  OperatorRun(Command command, ActionContext context, const OperatorNames* names, Time received);
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
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] Time wake_at() const;
  // The records that were logged since the last call.
  std::vector<LogRecord> take_log() { return std::exchange(log_, {}); }

 private:
  Routine<Attempt<bool>> plan();
  void write(LogKind kind, char priority, std::string message);
  void progress(char priority, std::string_view what, std::string_view rest = {},
                LogKind kind = LogKind::progress);
  void finish(const Attempt<bool>& outcome);
  void publish(std::string line);

  Command command_;
  const OperatorNames* names_;
  const Capabilities* can_;
  const DeviceFacts* facts_;
  Duration record_pause_;
  Timeline timeline_;
  Time deadline_;
  bool begun_ = false, done_ = false;
  std::optional<Time> published_until_;
  const DeviceAction* current_ = nullptr;  // null between two steps
  std::vector<LogRecord> log_;
  std::vector<StepResult> results_;
  ActionRunner runner_;
  std::optional<Routine<Attempt<bool>>> plan_;
};

// `[Clawperator-Result] {...}`: `data` and `errorCode` are left out where empty.
struct Verdict {
  std::string error, error_code;  // both empty: success
};
std::string envelope_line(const OperatorNames& names, const Command& command,
                          const std::vector<StepResult>& steps, const Verdict& verdict = {});
// Log tags of an app that can do `can`.
std::string log_tag(LogKind kind, const Capabilities& can);

}  // namespace simdroid
