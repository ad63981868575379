#pragma once
// The parts of the exported page, from web/recording by embed.cmake.

#include <string_view>

namespace clawperator {

extern const std::string_view kPageFrame;      // with {{places}} to fill
extern const std::string_view kPageStyle;      // what stands between <style> and </style>
extern const std::string_view kPageStyleHash;  // "sha256-..."

}  // namespace clawperator
