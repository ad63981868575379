#pragma once
// The Android package of the Operator app. It comes in two variants, release and debug.

#include "base/prelude.hpp"

namespace clawperator {

inline constexpr std::string_view kReleaseOperatorPackage = "com.clawperator.operator";

bool is_debug_variant(std::string_view operator_package);
// "x.dev" for "x", "x" for "x.dev".
std::string alternate_variant(const std::string& operator_package);

}  // namespace clawperator
