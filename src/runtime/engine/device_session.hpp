#pragma once
// What a long-lived process keeps of a device between executions: its open log, that the Operator
// app is there, and which screen was seen last. All of it ends with the link that it came over.
// Also what is remembered of the device on disk, and the line of executions that wait for it.

#include <map>

#include "adbproto/client/device.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "runtime/device/lock_line.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/log_pump.hpp"

namespace clawperator {

struct SeenTree {
  std::string hash;
  adbproto::Clock::time_point at;
};

class DeviceSession : public std::enable_shared_from_this<DeviceSession> {
 public:
  DeviceSession(const asio::any_io_executor& executor, adbproto::Scope* scope, Reconnect reconnect)
      : scope_(scope), started_(executor), reconnect_(std::move(reconnect)), hashed_(executor) {}

  // The open log, or a new one that stays open. `collector` must outlive the returned log.
  Task<std::unique_ptr<CommandLog>> join_log(std::shared_ptr<adbproto::Device> device,
                                             KnownPhone known, ResultCollector* collector);

  // Whether this app was found while the present log was open; empty: none.
  [[nodiscard]] bool has_operator(const std::string& package) const;
  void note_operator(std::string package) { operator_package_ = std::move(package); }

  // recall_device() and remember_device(); the files are read and written beside the loop.
  asio::awaitable<DeviceMemory> recall(std::string serial);
  void remember(std::string serial, DeviceMemory memory);
  // Stores a tree that was seen now. It is hashed beside the event loop, one at a time; of those
  // that arrive meanwhile only the last one counts.
  void note_tree(std::string xml);
  // The last tree, once it is hashed; nothing where the link has ended since.
  asio::awaitable<std::optional<SeenTree>> last_tree();

  [[nodiscard]] bool is_idle() const;

 private:
  static asio::awaitable<void> save(std::shared_ptr<DeviceSession> self, std::string serial);
  struct Unhashed {
    std::string xml;
    adbproto::Clock::time_point at;
    std::size_t link;
  };
  static asio::awaitable<void> hash_trees(std::shared_ptr<DeviceSession> self);

  adbproto::Scope* scope_;
  std::shared_ptr<LogPump> pump_;
  bool starting_ = false;
  adbproto::Signal started_;
  Reconnect reconnect_;
  std::string operator_package_;
  std::optional<DeviceMemory> memory_;
  bool unsaved_ = false;
  bool saving_ = false;
  std::size_t link_ = 0;  // the number of links that logs were opened over
  std::optional<Unhashed> unhashed_;
  std::optional<SeenTree> last_tree_;  // seen over this link
  bool hashing_ = false;
  adbproto::Signal hashed_;
};

// Counts an execution during its lifetime.
class InFlight {
 public:
  explicit InFlight(std::size_t* count) : count_(count) { ++*count_; }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;
  ~InFlight() { --*count_; }

 private:
  std::size_t* count_;
};

// One session for each way to a device.
class DeviceSessions {
 public:
  // `reopen`: reaches a device again whose link was lost in the middle of a command; absent: the
  // command ends. Also bounds the memory of the process (adbproto::MemoryBudget).
  explicit DeviceSessions(const asio::any_io_executor& executor, ResolveDevice reopen = {});

  // For an InFlight, which must end before this.
  std::size_t* in_flight_count() { return &in_flight_; }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
  LockLines& lines() { return lines_; }
  std::shared_ptr<DeviceSession> of(const adbproto::Device& device);
  // Required before destruction; executions that still run fail with link_lost.
  asio::awaitable<void> stop();

 private:
  // A computer has fewer devices. Their routes come and go; above this number idle sessions are
  // removed.
  static constexpr std::size_t kMaxIdle = 64;

  [[nodiscard]] Reconnect reconnect_to(const adbproto::Device& device) const;

  asio::any_io_executor executor_;
  ResolveDevice reopen_;
  adbproto::Scope scope_;
  LockLines lines_;
  std::size_t in_flight_ = 0;
  struct SessionKey {
    std::string route;
    std::string serial;
    std::string place;  // RouteFacts::place
    auto operator<=>(const SessionKey&) const = default;
  };
  std::map<SessionKey, std::shared_ptr<DeviceSession>> sessions_;
};

}  // namespace clawperator
