#pragma once
// What this library says of a device, its link and our keys, beside the codes of base/errc.hpp.

#include "base/errc.hpp"

namespace base::errc {

// 32 to 63
// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr Errc device_not_found{32};
inline constexpr Errc device_unauthorized{33};
inline constexpr Errc device_offline{34};
inline constexpr Errc link_lost{35};
inline constexpr Errc auth_pairing_failed{36};
inline constexpr Errc usb_no_permission{37};
inline constexpr Errc usb_busy{38};
inline constexpr Errc adb_keys_unusable{39};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc
