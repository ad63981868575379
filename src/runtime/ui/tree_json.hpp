#pragma once
// The compact tree as data, and a screen's marks.
//
//   {"hash","package","rotation","nodes":[
//     {"ref":"@3","parent":"@2","role":"text","text":"...","desc":"...","hint":"...",
//      "id":"android:id/title","class":"android.widget.TextView","bounds":[l,t,r,b],"center":[x,y],"flags":["clickable"]}]}
// Absent: parent of an outermost node, empty texts, empty flags, the package where it is the
// screen's. The flags are the XML's attribute names plus "editable"; "disabled" for enabled=false.

#include <nlohmann/json_fwd.hpp>

#include "base/prelude.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

std::string to_json(const UiTree& tree);

// Inside the module only: pieces that diff.cpp shares.

using Json = nlohmann::ordered_json;

// `parent_ref` 0: none. `package`: the screen's.
Json node_json(const UiNode& node, int parent_ref, const std::string& package);

// Invalid UTF-8 becomes U+FFFD, so this never throws.
std::string dumped(const Json& json);

std::string ref_text(int ref);
Json flags_json(const NodeFlags& flags);
Json bounds_json(const Bounds& bounds);

}  // namespace clawperator
