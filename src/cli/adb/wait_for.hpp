#pragma once
// The words of wait-for-[any-|usb-|local-]STATE[-STATE]..., and when such a wait is over.

#include "cli/adb/adb_command.hpp"

namespace clawperator::cli {

struct Wait {
  Reachable reachable = Reachable::any;
  std::vector<std::string> states{};  // device, ..., any, disconnect: one of them is enough
};

// `words` is what follows "wait-for-"; without a transport in it `standard` counts.
Result<Wait> parse_wait(std::string_view words, Reachable standard);

// One look at a list: not yet, or over. A device that is offline or does not let us in counts as
// none. Fails when more than one is meant.
Result<bool> is_over(const AdbContext& context, const Wait& wait,
                     const std::vector<DeviceRow>& rows);

}  // namespace clawperator::cli
