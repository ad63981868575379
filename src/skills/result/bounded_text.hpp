#pragma once
// Output that may be endless: its beginning and its end are kept, and where something is missing it
// says so.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

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

// Whether a text that comes in pieces contains another.
class TextSearch {
 public:
  TextSearch() = default;
  explicit TextSearch(std::string wanted) : wanted_(std::move(wanted)) {}

  void look_at(std::string_view piece) {
    if (was_found()) return;
    rest_ += piece;
    found_ = rest_.contains(wanted_);
    const std::size_t overlap = wanted_.size() - 1;  // it is not empty here
    if (rest_.size() > overlap) rest_.erase(0, rest_.size() - overlap);
  }
  [[nodiscard]] bool was_found() const { return found_ || wanted_.empty(); }

 private:
  std::string wanted_;
  std::string rest_;
  bool found_ = false;
};

}  // namespace clawperator::skills
