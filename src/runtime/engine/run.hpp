#pragma once
// One execution under way: what the stages of engine.cpp share, one member function a stage.

#include <asio/awaitable.hpp>
#include <optional>
#include <string>

#include "adbproto/link/signal.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/log_stream.hpp"
#include "runtime/engine/observed_device.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/result_collector.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

class Run final : private ObservedDevice::Observer {
 public:
  Run(ExecuteRequest request, EventLog* log);
  ~Run() override;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Task<void> resolve(const ResolveDevice* resolve);
  Task<void> attach_and_check();
  Task<void> take_lock();
  Task<void> stop_apps();
  Task<void> dispatch_and_wait();
  // Whether the app refused without having begun, for want of a service that the system means to
  // run; then it was given a moment to come back.
  Task<bool> service_may_return();
  // The hierarchies of our snapshots, as far as the log has them.
  Task<void> collect_snapshots();
  // Whether the log lost a part of them and asking again changes nothing on the device: the plan
  // only looks.
  bool lost_snapshots();
  Task<void> dispatch_again();
  Task<ExecuteResult> post_process();
  // The closing event, and the timings where they were asked for.
  Error failed(const Error& error);

 private:
  // What the device may be doing with our command: nothing yet, who knows, nothing any more.
  enum class Progress { preparing, dispatched, over };

  Task<std::unique_ptr<LogStream>> attach();
  Task<std::vector<std::string>> check();
  void on_open(const std::string& service) override;
  void on_opened(const std::string& service, const Error* error) override;
  void on_closed(const std::string& service, std::chrono::microseconds after,
                 std::size_t bytes) override;
  [[nodiscard]] ResultCollector new_collector() const;
  Task<void> ask_meanwhile();
  [[nodiscard]] const std::string* only_opened_app() const;
  asio::awaitable<std::optional<Error>> first_outcome();
  asio::awaitable<bool> await_service();
  asio::awaitable<void> collect(std::optional<Error>* log_end);
  void log_dispatch();
  asio::awaitable<Error> send_broadcast();
  Error judge_dispatch(const Result<CommandOutput>& output);
  Error timed_out() const;
  Error after_dispatch(const Error& error) const;
  Error wrong_variant() const;
  [[nodiscard]] std::string broadcast_status() const;
  [[nodiscard]] JsonObject dispatch_members() const;
  void add_log_path(JsonObject& details) const;
  Task<void> await_hierarchies();
  Task<std::vector<SavedPicture>> take_pictures();
  Task<struct Capture> capture();
  [[nodiscard]] Result<std::vector<struct Mark>> wanted_marks() const;
  asio::awaitable<std::vector<SavedPicture>> save_pictures(const Result<struct Capture>* taken);
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
  bool rebooted_ = false;  // since that was written
  Progress progress_ = Progress::preparing;
  bool dispatch_left_ = false;                        // the device has the command
  std::string dispatch_failure_;                      // what the broadcast said when it failed
  std::optional<adbproto::Signal> dispatch_settled_;  // one of the two was told
  std::vector<Hierarchy> hierarchies_;                // ours, once the log was read
  ServiceListing service_ = ServiceListing::unknown;  // asked when the app misses its service
  bool closing_event_written_ = false;
  bool variant_mismatch_ = false;  // only the other variant of the Operator is installed
  adbproto::Clock::time_point start_ = adbproto::Clock::now();
  adbproto::Clock::time_point dispatch_start_{};
};

}  // namespace clawperator
