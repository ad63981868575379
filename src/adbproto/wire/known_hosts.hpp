#pragma once
// ~/.android/adb_known_hosts.pb, shared with adb: the protobuf message
//
//   AdbKnownHosts { repeated HostInfo host_infos = 1; }   HostInfo { string guid = 1; }
//
// as 0a LEN { 0a LEN guid } for each device. Fields of other numbers are skipped.

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

inline constexpr std::size_t kMaxKnownHostsFile = 1 << 20;

// In the order of the file; an entry without guid is left out.
Result<std::vector<std::string>> parse_known_hosts(ByteView bytes);

// One entry. Protobuf lists are joined by joining their bytes: append it to the file.
Bytes encode_known_host(std::string_view guid);

}  // namespace adbproto
