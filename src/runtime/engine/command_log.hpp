#pragma once
// The device's log as one execution reads it: entries from an instant on go to its collector. The
// log is opened for this execution alone, or it is one that a DeviceSession keeps open.

#include "base/async/task.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/log_stream.hpp"
#include "runtime/engine/result_collector.hpp"

namespace clawperator {

class CommandLog {
 public:
  virtual ~CommandLog() = default;

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
  // logd had ended the stream meanwhile: entries before the new beginning may be missing.
  [[nodiscard]] virtual bool was_reopened() const = 0;

  // Reads until the collector holds an envelope. Fails with result_transport_exited when logcat
  // ended, logcat_unavailable when it ended without having printed anything, link_lost when the
  // link did, or as the collector.
  Task<void> collect();
  // Reads without end. For a caller that waits for something else: it must neither count as a slow
  // reader nor find old entries later.
  Task<void> follow();

 protected:
  virtual Task<void> read_until(bool (*enough)(const ResultCollector&)) = 0;
};

// A log with one reader only. `collector` must outlive it.
std::unique_ptr<CommandLog> read_alone(std::unique_ptr<LogStream> stream,
                                       ResultCollector* collector);

}  // namespace clawperator
