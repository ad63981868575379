#include "runtime/engine/device_session.hpp"

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"

namespace clawperator {
namespace {

// Others wait for the one that opens the log, however that ends.
class Starting {
 public:
  Starting(bool* starting, adbproto::Signal* ended) : starting_(starting), ended_(ended) {
    *starting_ = true;
  }
  Starting(const Starting&) = delete;
  Starting& operator=(const Starting&) = delete;
  ~Starting() {
    *starting_ = false;
    ended_->notify_all();
  }

 private:
  bool* starting_;
  adbproto::Signal* ended_;
};

}  // namespace

Task<std::unique_ptr<CommandLog>> DeviceSession::join_log(std::shared_ptr<Device> device,
                                                          KnownPhone known, std::string command_id,
                                                          ResultCollector* collector) {
  while (starting_) co_await started_.wait();
  if (pump_) {
    if (auto log = pump_->join(command_id, collector)) co_return log;
    pump_->retire();
  }
  const Starting starting(&starting_, &started_);
  operator_package_.clear();
  CO_TRY(pump_, co_await LogPump::start(std::move(device), std::move(known), scope_));
  auto log = pump_->join(command_id, collector);
  if (!log) co_return fail(errc::link_lost, "the device's log ended as it was opened");
  co_return log;
}

bool DeviceSession::has_operator(const std::string& package) const {
  return pump_ && !pump_->is_over() && !package.empty() && operator_package_ == package;
}

const DeviceMemory& DeviceSession::recall(const std::string& serial) {
  if (!memory_) memory_ = recall_device(serial);
  return *memory_;
}

void DeviceSession::remember(const std::string& serial, const DeviceMemory& memory) {
  memory_ = memory;
  remember_device(serial, memory);
}

bool DeviceSession::is_idle() const { return !starting_ && (!pump_ || pump_->is_over()); }

Result<CommandClaim> DeviceSessions::claim(const std::string& command_id) {
  if (commands_.insert(command_id).second) return CommandClaim(&commands_, command_id);
  return fail(errc::execution_conflict_in_flight,
              "Execution " + command_id + " is already in flight",
              ErrorMembers().object("details", ErrorMembers().text("commandId", command_id)).str());
}

std::shared_ptr<DeviceSession> DeviceSessions::of(const Device& device) {
  if (sessions_.size() >= kMaxIdle) {
    std::erase_if(sessions_, [](const auto& entry) { return entry.second->is_idle(); });
  }
  auto& session = sessions_[{std::string(device.route()), device.serial()}];
  if (!session) session = std::make_shared<DeviceSession>(executor_, &scope_);
  return session;
}

asio::awaitable<void> DeviceSessions::stop() {
  scope_.cancel();
  co_await scope_.join();
}

}  // namespace clawperator
