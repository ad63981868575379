#pragma once
// ~/.clawperator/targets.json: devices that `clawperator connect` reached without an adb server,
// and when they were last connected or disconnected, for processes that keep links to them.
//   {"targets":["192.168.1.5:5555"],"changes":{"192.168.1.5:5555":3},"lastChange":3}

#include <map>

#include "base/system/state_file.hpp"

namespace clawperator {

// The name by which a phone announces itself: "adb-SERIAL-abcdef", with or without the service's
// type behind it. An address, or "adb-" alone, is no such name.
std::optional<std::string> instance_name(const std::string& text);

// The name of a stored target: HOST:PORT, or the name by which a phone announces itself, because
// its port changes. invalid_argument for any other text.
Result<std::string> target_name(const std::string& text);

struct TargetList {
  std::vector<std::string> addresses{};  // or names
  // The number of each name's last change. Names that are followed without being targets count,
  // too; a target that is removed is forgotten.
  std::map<std::string, std::uint64_t> changes{};
  std::uint64_t last_change = 0;  // no number is given twice
  bool is_damaged = false;        // the file has further content, or is not ours

  bool operator==(const TargetList&) const = default;
};

// Empty when there is no file; entries that are no addresses are skipped. An error when the file
// cannot be read: nothing is known then. on_notice reports a damaged file.
Result<TargetList> read_targets(const OnNotice& on_notice = {});

// A damaged file is kept aside before another one is written, and on_notice reports its place.
Task<void> add_target(std::string address, OnNotice on_notice = {});
// Whether it was a target before.
Task<bool> remove_target(std::string address, OnNotice on_notice = {});
// Counts a disconnection of a phone that is followed without being a target, such as one that
// announces itself, so that a process that follows it drops its link.
Task<void> note_disconnected(std::string name, OnNotice on_notice = {});

}  // namespace clawperator
