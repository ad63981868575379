#pragma once
// How long to wait before the next try: 250 ms after a loss, doubling to 3 s; a minute where our
// key is not known.

#include <algorithm>
#include <chrono>

namespace clawperator {

// Each look at a phone that does not know our key is a signature that fails, and adbd answers ever
// more slowly to who fails often.
inline constexpr std::chrono::milliseconds kLockedPause{60'000};

class Backoff {
 public:
  static constexpr std::chrono::milliseconds kFirst{250};
  static constexpr std::chrono::milliseconds kLongest{3000};

  std::chrono::milliseconds next() {
    const auto wait = next_;
    next_ = std::min(2 * next_, kLongest);
    return wait;
  }
  void reset() { next_ = kFirst; }

 private:
  std::chrono::milliseconds next_ = kFirst;
};

}  // namespace clawperator
