#pragma once
// What happened, for every reader of GET /events: the last events, each with an id. A reader walks
// through them at its own pace; one that is too slow finds a gap in the ids.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "adbproto/link/signal.hpp"

namespace clawperator::serve {

struct Event {
  std::uint64_t id = 0;
  std::string name;
  std::string data;  // JSON text of one line
};

class EventHub {
 public:
  static constexpr std::size_t kHeld = 256;
  static constexpr std::size_t kHeldBytes = std::size_t{64} << 20;

  explicit EventHub(const asio::any_io_executor& executor) : published_(executor) {}

  void publish(std::string_view name, std::string data);

  // The oldest event after `seen` that is still held; waits while there is none. An id that was
  // never given is one of an earlier server: all that is held comes after it.
  Task<std::shared_ptr<const Event>> next(std::uint64_t seen);

  // The id of the newest event; 0 before the first.
  [[nodiscard]] std::uint64_t newest() const { return newest_; }

 private:
  void drop_oldest();

  std::deque<std::shared_ptr<const Event>> held_;
  std::size_t held_bytes_ = 0;
  std::uint64_t newest_ = 0;
  Signal published_;
};

}  // namespace clawperator::serve
