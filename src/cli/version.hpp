#pragma once
// Facts that are fixed at build time.

#include "base/prelude.hpp"

namespace clawperator::cli {

inline constexpr std::string_view kVersionText = CLAWPERATOR_VERSION;
inline constexpr std::string_view kApkCompatText = CLAWPERATOR_APK_COMPAT;

// The commit of the build, with "-changed" if files differed from it; empty when unknown.
std::string_view commit_text();

}  // namespace clawperator::cli
