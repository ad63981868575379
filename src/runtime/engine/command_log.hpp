#pragma once
// The device's log as one execution reads it: what is written from an instant on goes to its
// collector. The log is opened for this execution alone, or is one that a DeviceSession keeps open.

#include "base/async/task.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/log_stream.hpp"
#include "runtime/engine/result_collector.hpp"

namespace clawperator {

class CommandLog {
 public:
  virtual ~CommandLog() = default;

  [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
  // logd had ended the stream meanwhile: where it went on entries may be missing.
  [[nodiscard]] virtual bool was_reopened() const = 0;

  // Until the collector holds an envelope. Fails with result_transport_exited when logcat ended,
  // logcat_unavailable when it did so without having printed anything, link_lost when the link did,
  // or as the collector.
  Task<void> collect();
  // Without end: for whoever waits for something else, and wants neither to be taken for a slow
  // reader nor to find old entries later.
  Task<void> follow();

 protected:
  virtual Task<void> read_until(bool (*enough)(const ResultCollector&)) = 0;
};

// A log that nobody else reads. `collector` must outlive it.
std::unique_ptr<CommandLog> read_alone(std::unique_ptr<LogStream> stream,
                                       ResultCollector* collector);

}  // namespace clawperator
