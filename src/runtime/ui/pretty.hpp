#pragma once
// The compact tree for people: the same lines hung on drawn branches.
//
//   com.android.settings 1080x2400 rotation 0 hash 1a2b3c4d5e6f
//   └─ @1 list #recycler_view (540,1200) scroll
//      ├─ @2 group (540,412) click
//      │  └─ @3 "Network & internet" #title (312,390)

#include <string>

#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

std::string to_pretty(const UiTree& tree);

}  // namespace clawperator
