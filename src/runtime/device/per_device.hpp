#pragma once
// One text a device, for as many as anybody works with at once.

#include <map>

#include "base/prelude.hpp"

namespace clawperator {

class PerDevice {
 public:
  static constexpr std::size_t kMost = 64;

  void note(const std::string& device, std::string text) {
    if (texts_.size() >= kMost && !texts_.contains(device)) texts_.erase(texts_.begin());
    texts_[device] = std::move(text);
  }
  [[nodiscard]] std::optional<std::string> of(const std::string& device) const {
    const auto found = texts_.find(device);
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }
  // Of the first of these that there is one of.
  [[nodiscard]] std::optional<std::string> first_of(const std::vector<std::string>& devices) const {
    for (const std::string& device : devices) {
      if (auto text = of(device)) return text;
    }
    return std::nullopt;
  }

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace clawperator
