#pragma once
// Records one execution: in the log, in the trace, and as warnings; and how it ended.

#include "runtime/engine/execution_job.hpp"
#include "runtime/engine/execution_trace.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

class ExecutionObserver {
 public:
  // `log` and `trace` may be nullptr.
  ExecutionObserver(ExecutionJob* job, EventLog* log, Trace* trace);
  // An execution that was unwound before its end is recorded as cancelled.
  ~ExecutionObserver();
  ExecutionObserver(const ExecutionObserver&) = delete;
  ExecutionObserver& operator=(const ExecutionObserver&) = delete;

  [[nodiscard]] ExecutionTrace& trace() { return trace_; }
  [[nodiscard]] std::optional<std::string> log_path() const;

  void write(LogLevel level, std::string_view event, std::string_view message) const;
  void warn(const std::vector<std::string>& warnings) const;
  void service_opens(const std::string& service) const;
  void service_closed(const std::string& service, std::chrono::microseconds after,
                      std::size_t bytes);

  // Writes the closing event, once, and adds the timings where the request has `timings`.
  Error failed(const Error& cause);
  void finished();
  // It was cancelled, or unwound.
  [[nodiscard]] bool is_given_up() const { return was_cancelled_ || !is_closed_; }

 private:
  [[nodiscard]] JsonObject members() const;
  [[nodiscard]] JsonObject trace_ids() const;

  ExecutionJob* job_;
  EventLog* log_;
  ExecutionTrace trace_;
  bool is_closed_ = false, was_cancelled_ = false;
};

}  // namespace clawperator
