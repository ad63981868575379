#pragma once
// Versions fixed at build time.

#include "base/prelude.hpp"

namespace clawperator::cli {

inline constexpr std::string_view kVersionText = CLAWPERATOR_VERSION;
inline constexpr std::string_view kApkCompatText = CLAWPERATOR_APK_COMPAT;

}  // namespace clawperator::cli
