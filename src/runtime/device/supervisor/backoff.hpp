#pragma once
// How long to wait before the next try: 250 ms after a loss, doubling to a longest wait; a minute
// where our key is not known.

#include <algorithm>

#include "base/prelude.hpp"

namespace clawperator {

// Each probe of a phone that does not know our key is a signature that fails, and adbd slows down
// its answers after many failures.
inline constexpr std::chrono::milliseconds kLockedPause{60'000};

// An absent adb server is dialled at once when it is needed. The rest is to notice a server that no
// call needed yet, and an idle process does next to nothing.
inline constexpr std::chrono::milliseconds kServerPause{15'000};

class Backoff {
 public:
  // Short enough for a link that was only cut, long enough not to load the network.
  static constexpr std::chrono::milliseconds kFirst{250};

  explicit Backoff(std::chrono::milliseconds longest = std::chrono::milliseconds(3000))
      : longest_(longest) {}

  std::chrono::milliseconds next() {
    const auto wait = next_;
    next_ = std::min(2 * next_, longest_);
    return wait;
  }
  void reset() { next_ = kFirst; }

 private:
  std::chrono::milliseconds longest_;
  std::chrono::milliseconds next_ = kFirst;
};

}  // namespace clawperator
