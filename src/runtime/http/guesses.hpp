#pragma once
// Counts each peer's wrong tokens. After some of them, the peer's tokens are not checked for a
// while, not even right ones: an answer would reveal which one is right.

#include <map>

#include "base/clock.hpp"

namespace clawperator::http {

class Guesses {
 public:
  static constexpr std::size_t kFree = 8;                 // wrong ones without a wait
  static constexpr std::size_t kPeers = 1024;             // that are remembered
  static constexpr std::chrono::seconds kLongest{60};     // a person who mistyped waits no longer
  static constexpr std::chrono::minutes kRemembered{10};  // after the last wrong one

  // How long this peer's tokens are not checked; zero: they are checked.
  [[nodiscard]] std::chrono::seconds wait(const std::string& peer, Clock::time_point now) const;
  void note_wrong(const std::string& peer, Clock::time_point now);
  [[nodiscard]] std::size_t peers() const { return peers_.size(); }

 private:
  struct Wrong {
    std::size_t count = 0;
    Clock::time_point last{};
  };
  void make_room(Clock::time_point now);

  std::map<std::string, Wrong> peers_;
};

}  // namespace clawperator::http
