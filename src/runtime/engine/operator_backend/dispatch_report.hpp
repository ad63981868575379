#pragma once
// What is known of one dispatch, and the published errors that follow from it.

#include "base/error_members.hpp"
#include "runtime/engine/phone.hpp"
#include "runtime/engine/result_collector.hpp"

namespace clawperator {

class DispatchReport {
 public:
  // `is_look`: a snapshot of our own, which changes nothing.
  DispatchReport(const ExecutionJob* job, const ExecutionObserver* observer, const Phone* phone,
                 const ResultCollector* collector, bool is_look)
      : job_(job), observer_(observer), phone_(phone), collector_(collector), is_look_(is_look) {}

  void begin();
  [[nodiscard]] base::Clock::time_point start() const { return start_; }
  // The device has the command.
  void note_left() { has_left_ = true; }
  // The phone's shell held it back.
  void note_held_back();
  // The broadcast ended with an error. If the command had left, its outcome is unknown.
  void note_failure(const Error& error);
  void note_refusal(const std::string& text) { failure_ = "failed: " + text; }

  // "sent", "unknown", or why it failed. Where nothing is known the answer must be "unknown": an
  // agent that reads that a command was not sent sends it again.
  [[nodiscard]] std::string status() const;
  // The outcome on the device is unknown from here on; the caller must not repeat blindly.
  [[nodiscard]] Error after_dispatch(const Error& error) const;
  [[nodiscard]] Error timed_out(const Execution& plan) const;
  // The broadcast named a package that is not installed: there will be no answer.
  [[nodiscard]] Error wrong_variant() const;

 private:
  [[nodiscard]] ErrorMembers members() const;
  void add_outcome(ErrorMembers& details) const;
  void add_log_path(ErrorMembers& details) const;
  [[nodiscard]] std::optional<std::string> why_no_result() const;

  const ExecutionJob* job_;
  const ExecutionObserver* observer_;
  const Phone* phone_;
  const ResultCollector* collector_;
  bool is_look_;
  base::Clock::time_point start_{};
  bool has_left_ = false;
  std::string failure_;
};

}  // namespace clawperator
