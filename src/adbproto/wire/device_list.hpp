#pragma once
// The text of `host:devices`, `host:devices-l` and of tracker blocks, one line per transport:
//
//   devices     serial TAB state
//   devices-l   serial, padded to 22, SP state [SP devpath] [SP product:P] [SP model:M]
//               [SP device:D] SP transport_id:N
//
// Serials and states may contain spaces ("no permissions (...); see [...]"), so long lines are
// read from the right, by their keys.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace adbproto {

struct DeviceLine {
  std::string serial{};
  std::string state{};
  std::string devpath{};
  std::string product{};
  std::string model{};
  std::string device{};
  std::uint64_t transport_id = 0;  // 0: not given

  bool operator==(const DeviceLine&) const = default;
};

// Lines without a serial or a state are skipped.
std::vector<DeviceLine> parse_devices(std::string_view text);
std::vector<DeviceLine> parse_devices_long(std::string_view text);

}  // namespace adbproto
