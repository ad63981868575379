#pragma once
// The words of wait-for-[any-|usb-|local-]STATE.

#include <string>
#include <string_view>

#include "adbproto/base/error.hpp"
#include "runtime/device/target.hpp"

namespace clawperator::cli {

struct Wait {
  Reachable reachable = Reachable::any;
  std::string state;  // device, ..., any, disconnect
};

// `words` is what follows "wait-for-"; without a transport in it `standard` counts.
adbproto::Result<Wait> parse_wait(std::string_view words, Reachable standard);

}  // namespace clawperator::cli
