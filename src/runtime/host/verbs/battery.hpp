#pragma once
// The phone's battery, as `dumpsys battery` tells it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator {

struct Battery {
  std::int64_t percent = 0;
  std::string status{};                // charging, discharging, full, not_charging, unknown
  std::vector<std::string> plugged{};  // ac, usb, wireless, dock
  std::string health{};                // good, overheat, dead, over_voltage, failure, cold, unknown
  std::optional<double> celsius{};
  std::optional<std::int64_t> millivolts{};
  bool frozen = false;  // somebody set it for a test: it is not what the battery says
};

// nullopt where no level is told.
std::optional<Battery> parse_battery(std::string_view dumpsys);

Task<Battery> read_battery(adbproto::Device* device);

JsonObject& add_battery(JsonObject& json, const Battery& battery);

}  // namespace clawperator
