#pragma once
// The screen as a model should read it: a header line, then one line for each interesting node,
// indented two spaces for each interesting node around it.
//
//   com.android.settings 1080x2400 rotation 0 hash 1a2b3c4d5e6f
//   @1 list #recycler_view (540,1200) scroll
//     @2 group (540,412) click
//       @3 "Network & internet" #title (312,390)
//
// Complete: every interesting node of the tree stands there, under its own ref, with its whole
// text. A node of another package than the header's says so: `pkg com.android.systemui`.

#include <string>
#include <string_view>

#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// `activity` joins the header where the caller knows it.
std::string to_compact(const UiTree& tree, std::string_view activity = {});

}  // namespace clawperator
