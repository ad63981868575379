#pragma once
// What a process that lives long keeps of a device between executions: its open log, and that the
// Operator app is there. All of it ends with the link that it came over.

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "adbproto/client/device.hpp"
#include "adbproto/link/scope.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/log_pump.hpp"

namespace clawperator {

class DeviceSession {
 public:
  DeviceSession(const asio::any_io_executor& executor, adbproto::Scope* scope)
      : scope_(scope), started_(executor) {}

  // The open log, or one that is opened now and stays open. `collector` must outlive what it gives.
  Task<std::unique_ptr<CommandLog>> join_log(std::shared_ptr<adbproto::Device> device,
                                             KnownPhone known, std::string command_id,
                                             ResultCollector* collector);

  // Whether this app was found while the log that is open now was; empty: none.
  [[nodiscard]] bool has_operator(const std::string& package) const;
  void note_operator(std::string package) { operator_package_ = std::move(package); }

  // What is remembered of the device: its file is read for the first execution alone.
  const DeviceMemory& recall(const std::string& serial);
  void remember(const std::string& serial, const DeviceMemory& memory);

  [[nodiscard]] bool is_idle() const;

 private:
  adbproto::Scope* scope_;
  std::optional<DeviceMemory> memory_;
  std::shared_ptr<LogPump> pump_;
  bool starting_ = false;
  adbproto::Signal started_;
  std::string operator_package_;
};

// The id of a command while it is in flight.
class CommandClaim {
 public:
  CommandClaim(std::set<std::string>* commands, std::string id)
      : commands_(commands), id_(std::move(id)) {}
  CommandClaim(CommandClaim&& other) noexcept
      : commands_(std::exchange(other.commands_, nullptr)), id_(std::move(other.id_)) {}
  CommandClaim& operator=(CommandClaim&& other) noexcept {
    std::swap(commands_, other.commands_);
    id_.swap(other.id_);
    return *this;
  }
  CommandClaim(const CommandClaim&) = delete;
  CommandClaim& operator=(const CommandClaim&) = delete;
  ~CommandClaim() {
    if (commands_) commands_->erase(id_);
  }

 private:
  std::set<std::string>* commands_;
  std::string id_;
};

// One session a way to a device; one command id is in flight once.
class DeviceSessions {
 public:
  explicit DeviceSessions(const asio::any_io_executor& executor)
      : executor_(executor), scope_(executor) {}

  // execution_conflict_in_flight while this id is claimed.
  Result<CommandClaim> claim(const std::string& command_id);
  [[nodiscard]] std::size_t in_flight() const { return commands_.size(); }
  std::shared_ptr<DeviceSession> of(const adbproto::Device& device);
  // Required before destruction; executions that still run fail with link_lost.
  asio::awaitable<void> stop();

 private:
  static constexpr std::size_t kMaxIdle = 64;

  asio::any_io_executor executor_;
  adbproto::Scope scope_;
  std::set<std::string> commands_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<DeviceSession>> sessions_;
};

}  // namespace clawperator
