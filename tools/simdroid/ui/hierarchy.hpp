#pragma once
// The node tree as XML.
//
//   operator_log   as the Operator app logs it: declaration, two-space indents, one node a line,
//                  line breaks inside attribute values stand as they are
//   uiautomator    as `uiautomator dump` writes it: one line, &#10; for line breaks, characters
//                  beyond the BMP as numbers, single quotes around values that hold double ones

#include <string>

#include "simdroid/ui/ui_world.hpp"

namespace simdroid {

enum class HierarchyStyle : std::uint8_t { operator_log, uiautomator };

// Attributes that newer apps write.
struct NodeAttributes {
  bool visibility = false;   // visible-to-user
  bool sensitivity = false;  // accessibility-data-sensitive, beside the other one
};

std::string hierarchy_xml(const UiWorld& world, HierarchyStyle style);
// As `uiautomator dump --windows` of Android 11 and newer writes them: all windows of the display.
std::string windows_xml(const UiWorld& world);
// Of the style operator_log.
std::string hierarchy_xml(const UiWorld& world, NodeAttributes attributes = {});

}  // namespace simdroid
