#pragma once
// One execution in the trace of its loop, if there is one: a span on its own row, its phases, and
// its lines in the device's log. A phase's time is measured and traced in one place, so both have
// the same value.

#include "runtime/engine/engine.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/trace/trace.hpp"

namespace clawperator {

class ExecutionTrace {
 public:
  // `trace` may be nullptr: then it only measures. `start`: of the execution; no phase may begin
  // before it.
  explicit ExecutionTrace(Trace* trace, TraceTime start = Clock::now());
  ~ExecutionTrace();
  ExecutionTrace(const ExecutionTrace&) = delete;
  ExecutionTrace& operator=(const ExecutionTrace&) = delete;

  [[nodiscard]] bool is_on() const { return trace_ != nullptr; }
  void begin(const ExecuteRequest& request, JsonObject ids);
  // Call it once; `outcome` is a status, or the published code of an error.
  void end(std::string_view outcome, const std::string& device_id);

  // Returns the time from `start` until now.
  std::chrono::microseconds phase(std::string_view name, TraceTime start);
  // For a query beside the stages.
  std::chrono::microseconds phase_beside(std::string_view name, TraceTime start);
  // One that was measured elsewhere.
  void phase(std::string_view name, TraceTime start, std::chrono::microseconds duration);

  // A service that was open until now.
  void service(const std::string& device_id, std::string_view name,
               std::chrono::microseconds duration, std::size_t bytes);
  // `time` is the device's own; zero: the log has none.
  void stage(const Stage& stage, std::chrono::nanoseconds time);
  void event(std::string_view text, std::chrono::nanoseconds time);

  // The first dispatch's id is an argument of begin().
  void dispatched_again(const std::string& dispatch_id);

  // The phases of an execution that another process has carried out, placed by their durations.
  void place(const Timings& timings);

 private:
  Trace* trace_;
  TraceTime start_;
  Track track_{};
  Track beside_{};
  bool ended_ = true;
};

}  // namespace clawperator
