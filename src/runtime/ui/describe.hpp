#pragma once
// One interesting node in one line, and the whole screen for models and for terminals:
//
//   @3 button "Network & internet" desc "Opens network" #title click
//
// The role "text" is left out, `hint "Email"` is what a field shows while it is empty, #id is the
// resource id without its package. Words after it: click long scroll, on|off (checkable), checked
// disabled focused selected password. Texts are complete; characters that would break the line are
// escaped.

#include "base/prelude.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// `text` in double quotes, with \" \\ \n \r \t and \u00XX for other control characters.
std::string quote(std::string_view text);

// "com.app:id/title" -> "title". A device may send any text as an id: with blanks it is quoted.
std::string short_id(std::string_view resource_id);

// "click scroll on"; empty without flags.
std::string flag_words(const NodeFlags& flags);

// Without a ref, and with the node's centre: (540,412).
std::string describe_unnamed(const UiNode& node);

// The line. Requires node.ref != 0.
std::string describe(const UiNode& node);

// The title of a dialog in front: android:id/alertTitle of the system's, PACKAGE:id/alertTitle of
// an app's. nullptr: there is none.
const UiNode* dialog_title(const UiTree& tree);

// "com.android.settings 1080x2400 hash 1a2b3c4d5e6f", before the hash `rotation N` where it is not
// 0, and what holds of the screen:
// `keyboard covers y 1500-2400`, `dialog "Delete?"`, `locked`, and whether it has web content
// without nodes.
std::string describe_screen(const UiTree& tree);

// The screen as a model should read it: a header line, then one line for each row (rows.hpp),
// indented two spaces for each row around it.
//
//   com.android.settings 1080x2400 hash 1a2b3c4d5e6f
//   @1 list #recycler_view scroll
//     @2 "Network & internet" "Mobile, Wi-Fi, hotspot" click
//
// Each interesting node of the tree is in one of the lines, with its whole text. A row of another
// package than the rows around it has its name: `pkg com.android.systemui`.
//
// `activity` joins the header where the caller has it.
std::string to_compact(const UiTree& tree, std::string_view activity = {});

// The compact tree for terminals: the same lines hung on drawn branches.
//
//   com.android.settings 1080x2400 hash 1a2b3c4d5e6f
//   └─ @1 list #recycler_view scroll
//      └─ @2 "Network & internet" "Mobile, Wi-Fi, hotspot" click
std::string to_pretty(const UiTree& tree);

}  // namespace clawperator
