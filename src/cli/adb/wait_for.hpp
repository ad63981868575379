#pragma once
// The arguments of wait-for-[any-|usb-|local-]STATE[-STATE]..., and when such a wait ends.

#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {

struct Wait {
  Reachable reachable = Reachable::any;
  std::vector<std::string> states{};  // device, ..., any, disconnect; one of them ends the wait
};

// `words` is the text after "wait-for-"; without a transport in it, `standard` is used.
Result<Wait> parse_wait(std::string_view words, Reachable standard);

// Checks one list: true when the wait is over. An offline device, or one that refuses our key,
// counts as absent. Fails when several devices match.
Result<bool> is_over(const AdbContext& context, const Wait& wait,
                     const std::vector<DeviceRow>& rows);

}  // namespace clawperator::cli
