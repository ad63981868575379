#pragma once
// Output that may be endless: its beginning and its end are kept, and where something is missing it
// says so.

#include <cstddef>
#include <string>
#include <string_view>

namespace clawperator::skills {

class BoundedText {
 public:
  static constexpr std::size_t kHalf = std::size_t{8} << 20;

  void append(std::string_view text) {
    const std::size_t room = kHalf - head_.size();
    head_ += text.substr(0, room);
    if (text.size() <= room) return;
    tail_ += text.substr(room);
    if (tail_.size() <= 2 * kHalf) return;
    lost_ += tail_.size() - kHalf;
    tail_.erase(0, tail_.size() - kHalf);
  }

  [[nodiscard]] std::string str() const {
    const std::size_t excess = tail_.size() > kHalf ? tail_.size() - kHalf : 0;
    if (lost_ + excess == 0) return head_ + tail_;
    return head_ + "\n[clawperator: " + std::to_string(lost_ + excess) +
           " bytes are left out here]\n" + tail_.substr(excess);
  }

 private:
  std::string head_;
  std::string tail_;  // its last kHalf bytes count
  std::size_t lost_ = 0;
};

}  // namespace clawperator::skills
