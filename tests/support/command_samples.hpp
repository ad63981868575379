#pragma once
// Every line and every service command that this program can send to a device, with arguments that
// are as awkward as they may be. The tests run each of them in a phone's own shell (mksh) with a
// phone's own tools (toybox); tools/lints/lint_device_commands.py refuses a builder that has no
// sample here.

#include <string>
#include <string_view>
#include <vector>

#include "runtime/android/service_command.hpp"

namespace clawperator {

struct CommandSample {
  std::string_view builder;  // the function that makes it, or the id of a question
  std::string line;          // for the device's sh
};

std::vector<CommandSample> command_samples();

}  // namespace clawperator
