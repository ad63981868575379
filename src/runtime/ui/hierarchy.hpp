#pragma once
// The hierarchy XML as the Operator app and `uiautomator dump` write it:
//
//   <?xml version='1.0' encoding='UTF-8' standalone='yes' ?>
//   <hierarchy rotation="0">
//     <node index="0" text="..." resource-id="" class="" package="" content-desc="" checkable=""
//           ... selected="" bounds="[l,t][r,b]"> child nodes </node>
//   </hierarchy>
// Line breaks inside values are not escaped by the writers and are kept.

#include "base/error.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

// The short role of a widget by its class. The Operator app's own role names are used where it has
// one (button, textfield, text, switch, checkbox, image, toolbar, tab), so that a role read in a
// snapshot can be given back as a selector. Points into a constant table; "view" for an unknown
// class.
std::string_view role_of_class(std::string_view class_name);

// "[l,t][r,b]"; anything else is the empty rectangle.
Bounds parse_bounds(std::string_view text);

// Room for kMaxHierarchyNodes of some 160 bytes each.
inline constexpr std::size_t kMaxHierarchyBytes = std::size_t{32} << 20;
// Screens have hundreds, long web pages thousands; more would only fill memory.
inline constexpr std::size_t kMaxHierarchyNodes = 200'000;
// Views nest a few dozen deep; many functions walk up to the root.
inline constexpr int kMaxHierarchyDepth = 512;

// The whole document and nothing but it (white space around it is allowed); everything else is
// snapshot_extraction_failed.
Result<UiTree> parse_hierarchy(std::string_view xml);

}  // namespace clawperator
