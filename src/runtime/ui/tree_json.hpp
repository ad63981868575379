#pragma once
// The compact tree as data, and a screen's marks.
//
//   {"hash","package","rotation","nodes":[
//     {"ref":"@3","parent":"@2","role":"text","text":"...","desc":"...","id":"android:id/title",
//      "class":"android.widget.TextView","bounds":[l,t,r,b],"center":[x,y],"flags":["clickable"]}]}
// Absent: parent of an outermost node, empty texts, empty flags, the package where it is the
// screen's. The flags are the XML's attribute names plus "editable"; "disabled" for enabled=false.

#include <string>

#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

std::string to_json(const UiTree& tree);

}  // namespace clawperator
