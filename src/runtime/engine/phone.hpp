#pragma once
// The phone of one execution: the device with the observer around it, the rungs for its commands,
// which Operator app is meant, and what is remembered of it.

#include "runtime/device/identity.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/engine/execution_observer.hpp"
#include "runtime/engine/observed_device.hpp"
#include "runtime/engine/operator_choice.hpp"

namespace clawperator {

class Phone final : private ObservedDevice::Observer {
 public:
  Phone(ExecutionJob* job, ExecutionObserver* observer)
      : job_(job), observer_(observer), choice_(job->request.operator_package) {}
  Phone(const Phone&) = delete;
  Phone& operator=(const Phone&) = delete;
  ~Phone() override = default;

  // Takes the device that the request's target was resolved to. Fails with STALE_REF where another
  // phone has shown the request's ref.
  Task<void> take(std::unique_ptr<adbproto::Device> device);

  // The others require take().
  [[nodiscard]] adbproto::Device* device() const { return device_.get(); }
  // The device without the observer: a session reads its log from it.
  [[nodiscard]] const std::shared_ptr<adbproto::Device>& link() const { return link_; }
  [[nodiscard]] DeviceSession* session() const { return session_.get(); }
  [[nodiscard]] CommandChannel* channel() { return &*channel_; }
  [[nodiscard]] OperatorChoice& choice() { return choice_; }
  [[nodiscard]] std::string package_name() const { return choice_.package(recalled_); }
  // Its name in advice.
  [[nodiscard]] const std::string& advised_name() const {
    return clawperator::advised_name(job_->request, job_->result);
  }
  // Whether any service was opened there.
  [[nodiscard]] bool has_answered() const { return has_answered_; }
  // Called when the device has all of a broadcast of ours.
  void on_dispatched(std::function<void()> callback) { on_dispatched_ = std::move(callback); }

  // Checks that it is the phone known at its address, where the dial left that to the execution.
  Task<void> meet(Identity identity);
  Task<void> meet_by_asking();

  // As it stands on disk, and as it should be stored.
  [[nodiscard]] const DeviceMemory& recalled() const { return recalled_; }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  void remember();
  // The log's first line.
  void know(const DeviceFacts& facts) { facts_ = facts; }
  [[nodiscard]] bool is_known() const { return facts_.has_value(); }

 private:
  void on_open(const std::string& service) override;
  void on_opened(const std::string& service, const Error* error) override;
  void on_closed(const std::string& service, std::chrono::microseconds after,
                 std::size_t bytes) override;
  void note_boot();

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  OperatorChoice choice_;
  std::shared_ptr<DeviceSession> session_;  // absent: the process ends with the command
  std::shared_ptr<adbproto::Device> link_;
  std::unique_ptr<adbproto::Device> device_;
  std::optional<CommandChannel> channel_;
  DeviceMemory recalled_, memory_;
  bool rebooted_ = false;  // since that was written
  std::optional<DeviceFacts> facts_;
  bool has_answered_ = false;
  std::function<void()> on_dispatched_;
};

KnownPhone known_phone(const DeviceMemory& memory);

// The log of a device that accepted our key at once last time, opened with the connection. If it is
// another device now, reading a log changes nothing.
std::optional<adbproto::EarlyOpen> early_log(const ExecuteRequest& request);

}  // namespace clawperator
