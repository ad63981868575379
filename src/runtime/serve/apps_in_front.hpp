#pragma once
// Which app is in front of each device, as far as what was shown and done by this server tells:
// what else should be there is told of a node that is missing.

#include <map>
#include <span>
#include <string>

#include "runtime/contract/execution.hpp"

namespace clawperator::serve {

class AppsInFront {
 public:
  static constexpr std::size_t kMost = 64;  // devices

  // An empty package: nobody knows.
  void note(const std::string& device, const std::string& package);
  [[nodiscard]] std::string of(const std::string& device) const;

 private:
  std::map<std::string, std::string> packages_;
};

// After these actions, where `package` was in front before. What an app does with a click is not
// expected to bring another one.
std::string app_after(std::string package, std::span<const Action> done);

}  // namespace clawperator::serve
