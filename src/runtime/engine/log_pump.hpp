#pragma once
// A device's log that stays open: read all the time, so that no entry waits, and handed to every
// execution that runs there.
//
//   logcat --> LogStream --> each CommandLog's collector, from the moment it joined
//
// An execution's part begins at its place in the stream, not at a time. What an earlier command
// left behind names another dispatch id.

#include "adbproto/client/device.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "runtime/engine/command_log.hpp"

namespace clawperator {

// Returns the same phone over another link, as soon as it is there.
using Reconnect = std::function<Task<std::shared_ptr<adbproto::Device>>()>;

class LogPump : public std::enable_shared_from_this<LogPump> {
 public:
  // How long an unused log stays open.
  static constexpr std::chrono::minutes kKept{10};
  // How long a phone may take to come back, while an execution waits for its answer.
  static constexpr std::chrono::seconds kReturnLimit{5};

  // Opens the log as LogStream::attach does, and reads it in `scope` from then on. After a lost
  // link it continues over the next one, if `reconnect` finds it.
  static Task<std::shared_ptr<LogPump>> start(std::shared_ptr<adbproto::Device> device,
                                              KnownPhone known, adbproto::Scope* scope,
                                              Reconnect reconnect);

  // nullptr: the log has ended, or is about to end. `collector` must outlive the log.
  std::unique_ptr<CommandLog> join(ResultCollector* collector);
  // Ends the log once it has no reader.
  void retire();
  [[nodiscard]] bool is_over() const { return retired_ || end_.has_value(); }
  // Why it ended; absent while it is read.
  [[nodiscard]] const std::optional<Error>& end() const { return end_; }

 private:
  class Part;

  LogPump(const asio::any_io_executor& executor, std::shared_ptr<adbproto::Device> device,
          std::unique_ptr<LogStream> stream, Reconnect reconnect);
  static asio::awaitable<void> run(std::shared_ptr<LogPump> self);
  asio::awaitable<void> read();
  Task<void> resume(std::optional<Error>* another);
  Task<void> come_back();
  asio::awaitable<void> wait_for_idleness();
  void leave(Part* part);

  asio::any_io_executor executor_;
  std::shared_ptr<adbproto::Device> device_;  // the stream is opened on it again
  std::unique_ptr<LogStream> stream_;
  Reconnect reconnect_;
  DeviceFacts facts_;
  std::size_t reopened_ = 0;
  std::vector<Part*> parts_;  // the readers
  std::optional<Error> end_;
  bool retired_ = false;
  adbproto::Clock::time_point last_use_ = adbproto::Clock::now();
  adbproto::Signal moved_on_;  // entries came, or the end
  adbproto::Timer idleness_;
};

}  // namespace clawperator
