#pragma once
// The line of executions in this process that wait for a busy device: first come, first served.
//
//   place 0           1, 2, ...
//   +--------------+  +--------------+
//   | has the lock |  | wait for the |
//   | or tries for |  | places ahead |
//   +--------------+  +--------------+
//
// Processes are kept apart by the lock alone; among them there is no order.

#include <asio/any_io_executor.hpp>
#include <map>

#include "base/async/task.hpp"
#include "runtime/device/lock.hpp"

namespace clawperator {

class LockLines {
 public:
  // For one device, beside the one that has it.
  static constexpr std::size_t kMaxWaiting = 32;
  // Longer than a phone needs for a tree, by either backend.
  static constexpr std::chrono::seconds kOfReading{15};

  class Turn;
  struct Request {
    std::string identity;  // lock_identity()
    std::string device_id;
    std::string command_id;
    std::chrono::milliseconds patience{0};
    std::uint64_t arrival = 0;
    // A short reading, because of which no other request of this process fails: one without
    // patience waits for it, for kOfReading at most.
    bool gives_way = false;
  };

  explicit LockLines(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  LockLines(const LockLines&) = delete;
  LockLines& operator=(const LockLines&) = delete;
  ~LockLines() = default;

  // A lower number goes first, even if it joins the line later.
  std::uint64_t arrive() { return ++arrivals_; }

  // Fails with execution_conflict_in_flight: at once without patience or where the line is full,
  // else when `patience` has passed, with `position` and `waitedMs` in its details. Fails with
  // cancelled once the lines are closed, unless no other place is ahead.
  Task<Turn> wait_for(Request request);

  // Ends every wait, also later ones.
  void close();

 private:
  struct Line;
  class Place;

  std::shared_ptr<Line> line_of(const std::string& identity);

  asio::any_io_executor executor_;
  std::map<std::string, std::weak_ptr<Line>> lines_;
  std::uint64_t arrivals_ = 0;
  bool closed_ = false;
};

// A device is the holder's as long as this lives.
class LockLines::Turn {
 public:
  Turn();
  Turn(std::unique_ptr<Place> place, DeviceLock lock);
  Turn(Turn&&) noexcept;
  Turn& operator=(Turn&&) noexcept;
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn();

  // See DeviceLock.
  void settle() { lock_->settle(); }

 private:
  std::unique_ptr<Place> place_;  // destroyed last: the next one finds the lock free
  std::optional<DeviceLock> lock_;
};

}  // namespace clawperator
