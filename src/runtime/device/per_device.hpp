#pragma once
// One text a device, for as many devices as one process works with. It is noted for the serial,
// which twins share, and for the name that the device alone has.

#include <algorithm>
#include <utility>

#include "base/prelude.hpp"

namespace clawperator {

class PerDevice {
 public:
  // Two names for each of 64 devices; a daemon that meets ever new ones must not fill memory.
  static constexpr std::size_t kMost = 128;

  void note(const std::string& serial, const std::string& own_name, const std::string& text) {
    for (const std::string* device : {&serial, &own_name}) {
      std::erase_if(texts_, [&](const auto& noted) { return noted.first == *device; });
      texts_.emplace_back(*device, text);
    }
    if (texts_.size() > kMost) texts_.erase(texts_.begin(), texts_.end() - kMost);
  }
  [[nodiscard]] std::optional<std::string> of(const std::string& device) const {
    const auto found =
        std::ranges::find(texts_, device, &std::pair<std::string, std::string>::first);
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
  std::vector<std::pair<std::string, std::string>> texts_;  // the last noted text is at the end
};

}  // namespace clawperator
