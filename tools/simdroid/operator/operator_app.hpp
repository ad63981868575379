#pragma once
// The emulated Operator app of one version: commands arrive as broadcast payloads, and all output
// leaves as log records. An envelope is one record of any length; publication.hpp splits it.
//
//   receive(payload, now)  ->  queue of runs, one at a time  ->  records, stamped
//   advance(now)           ->  whatever was due until `now`, and when it wants to be called next
//
// Time moves only by these two calls. Within a call every step happens at its own due time, so a
// late call changes only the moment when the caller gets the records.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simdroid/operator/device_facts.hpp"
#include "simdroid/operator/log_record.hpp"
#include "simdroid/operator/operator_version.hpp"
#include "simdroid/operator/recording.hpp"
#include "simdroid/profile.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

class OperatorRun;

struct OperatorOptions {
  std::string package = "com.clawperator.operator";
  std::string version{kDefaultOperator};
  Latencies latencies{};  // default: all zero
  std::uint64_t seed = 1;
  std::int64_t wall_offset_ms = 0;  // wall clock ms = offset + time in ms
};

struct Progress {
  std::vector<LogRecord> log;
  std::optional<Time> wake_at;  // nullopt: idle
};

class OperatorApp {
 public:
  // `world` and `files` must outlive the app.
  OperatorApp(UiWorld* world, FileMap* files, OperatorOptions options = {});
  ~OperatorApp();
  OperatorApp(const OperatorApp&) = delete;
  OperatorApp& operator=(const OperatorApp&) = delete;
  OperatorApp(OperatorApp&&) = delete;
  OperatorApp& operator=(OperatorApp&&) = delete;

  // A broadcast reached the receiver. The work begins in this call as far as it is due.
  Progress receive(std::string_view payload, Time now);
  Progress advance(Time now);

  // Process killed (am force-stop of the app): runs vanish without an envelope.
  void kill();

  [[nodiscard]] bool idle() const { return runs_.empty(); }
  [[nodiscard]] DeviceFacts& facts() { return facts_; }
  [[nodiscard]] const Capabilities& can() const { return can_; }
  [[nodiscard]] const OperatorNames& names() const { return *names_; }
  [[nodiscard]] const std::string& version() const { return options_.version; }

 private:
  void run_until(Time now);
  void collect(OperatorRun& run);

  UiWorld* world_;
  OperatorOptions options_;
  const OperatorNames* names_;
  Capabilities can_;
  DeviceFacts facts_;
  Jitter jitter_;
  Recorder recorder_;
  std::deque<std::unique_ptr<OperatorRun>> runs_;  // front holds the mutex
  std::vector<LogRecord> log_;                     // not handed out yet
  Time now_;
};

}  // namespace simdroid
