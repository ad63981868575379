#pragma once
// ~/.clawperator/targets.json: devices that `clawperator connect` reached without an adb server,
// and when somebody connected or disconnected them last, for processes that keep links to them.
//   {"targets":["192.168.1.5:5555"],"changes":{"192.168.1.5:5555":3},"lastChange":3}

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "adbproto/link/task.hpp"

namespace clawperator {

// What a target is kept as: HOST:PORT, or the name by which a phone announces itself, for its port
// changes. invalid_argument for what is neither.
Result<std::string> target_name(const std::string& text);

struct TargetList {
  std::vector<std::string> addresses{};  // or names
  // By name, also of what was never a target: the number of its last change. A target that is
  // removed is forgotten.
  std::map<std::string, std::uint64_t> changes{};
  std::uint64_t last_change = 0;  // no number is given twice

  bool operator==(const TargetList&) const = default;
};

// Empty when there is no file; entries that are no addresses are skipped. An error when there is
// one that cannot be read: nothing is known then.
Result<TargetList> read_targets();
Task<void> add_target(std::string address);
// False when it was not there.
Task<bool> remove_target(std::string address);
// Of something that is followed without being a target, such as an announced phone.
Task<void> note_disconnected(std::string name);

}  // namespace clawperator
