#pragma once
// The bytes that the phone has received, for tests to read.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace simdroid {

// The requests of hosts since start or `simctl reset`, in order: names of services, the lines that
// a shell read from its standard input, and the requests of sync with their paths. Requests beyond
// the bound are counted.
class Received {
 public:
  void add(std::string_view kind, std::string_view text) {
    if (size_ + text.size() > kMostBytes || all_.size() == kMost) {
      ++dropped_;
      return;
    }
    size_ += text.size();
    all_.emplace_back(kind, text);
  }
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
  void reset() { *this = {}; }

 private:
  static constexpr std::size_t kMostBytes =
      4 << 20;                                // room for some hundred plans of the greatest size
  static constexpr std::size_t kMost = 4096;  // more than one command opens

  std::vector<std::pair<std::string, std::string>> all_;
  std::size_t size_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace simdroid
