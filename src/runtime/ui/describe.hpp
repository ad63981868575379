#pragma once
// One interesting node in one line, as every text rendering shows it:
//
//   @3 button "Network & internet" desc "Opens network" #title (540,412) click
//
// The role "text" is left out, #id is the resource id without its package, (x,y) the centre. Words
// after it: click long scroll, on|off (checkable), checked disabled focused selected password.
// Texts are complete; characters that would break the line are escaped.

#include "base/prelude.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// `text` in double quotes, with \" \\ \n \r \t and \u00XX for other control characters.
std::string quote(std::string_view text);

// "com.app:id/title" -> "title". A device may send any text as an id: with blanks it is quoted.
std::string short_id(std::string_view resource_id);

// "click scroll on"; empty without flags.
std::string flag_words(const NodeFlags& flags);

// The line without the ref.
std::string describe_unnamed(const UiNode& node);

// The line. Requires node.ref != 0.
std::string describe(const UiNode& node);

// "com.android.settings 1080x2400 rotation 0 hash 1a2b3c4d5e6f"
std::string describe_screen(const UiTree& tree);

// The screen as a model should read it: a header line, then one line for each interesting node,
// indented two spaces for each interesting node around it.
//
//   com.android.settings 1080x2400 rotation 0 hash 1a2b3c4d5e6f
//   @1 list #recycler_view (540,1200) scroll
//     @2 group (540,412) click
//       @3 "Network & internet" #title (312,390)
//
// Complete: every interesting node of the tree stands there, under its own ref, with its whole
// text. A node of another package than the header's has its name: `pkg com.android.systemui`.
//
// `activity` joins the header where the caller has it.
std::string to_compact(const UiTree& tree, std::string_view activity = {});

// The compact tree for terminals: the same lines hung on drawn branches.
//
//   com.android.settings 1080x2400 rotation 0 hash 1a2b3c4d5e6f
//   └─ @1 list #recycler_view (540,1200) scroll
//      ├─ @2 group (540,412) click
//      │  └─ @3 "Network & internet" #title (312,390)
std::string to_pretty(const UiTree& tree);

}  // namespace clawperator
