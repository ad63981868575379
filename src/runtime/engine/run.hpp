#pragma once
// One execution under way: what the stages of engine.cpp share, one member function a stage.

#include <asio/awaitable.hpp>
#include <optional>
#include <string>

#include "runtime/device/lock.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/log_stream.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/result_collector.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

class Run {
 public:
  Run(ExecuteRequest request, EventLog* log);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  adbproto::Task<void> resolve(const ResolveDevice* resolve);
  adbproto::Task<void> attach_and_check();
  adbproto::Task<void> take_lock();
  adbproto::Task<void> stop_apps();
  adbproto::Task<void> dispatch_and_wait();
  adbproto::Task<ExecuteResult> post_process();

 private:
  // What the device may be doing with our command: nothing yet, who knows, nothing any more.
  enum class Progress { preparing, dispatched, over };

  adbproto::Task<std::unique_ptr<LogStream>> attach();
  adbproto::Task<std::vector<std::string>> check();
  asio::awaitable<std::optional<adbproto::Error>> first_outcome();
  asio::awaitable<adbproto::Error> dispatch_failure();
  adbproto::Error judge_dispatch(const adbproto::Result<CommandOutput>& output);
  adbproto::Error timed_out() const;
  adbproto::Error after_dispatch(const adbproto::Error& error) const;
  adbproto::Task<void> await_hierarchies(std::size_t count);
  adbproto::Task<std::vector<SavedPicture>> take_pictures();
  asio::awaitable<std::vector<SavedPicture>> save_pictures(
      const adbproto::Result<struct Capture>* taken);
  void remember();
  [[nodiscard]] std::chrono::milliseconds wait_limit() const;
  [[nodiscard]] JsonObject log_members() const;
  void write_log(LogLevel level, std::string_view event, std::string_view message) const;
  void warn(const std::vector<std::string>& warnings) const;

  ExecuteRequest request_;
  EventLog* log_;
  ExecuteResult result_;
  std::unique_ptr<adbproto::Device> device_;
  std::optional<CommandChannel> channel_;
  std::unique_ptr<LogStream> log_stream_;
  std::optional<DeviceLock> lock_;
  ResultCollector collector_;
  DeviceMemory recalled_;  // as it stands on disk
  DeviceMemory memory_;    // as it should
  Progress progress_ = Progress::preparing;
  std::string broadcast_status_ = "not_sent";
  adbproto::Clock::time_point start_ = adbproto::Clock::now();
  adbproto::Clock::time_point dispatch_start_{};
};

}  // namespace clawperator
