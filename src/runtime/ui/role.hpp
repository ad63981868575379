#pragma once
// The short role of a widget, told by its class. The Operator app's own role names are used where
// it has one (button, textfield, text, switch, checkbox, image, toolbar, tab), so that a role read
// in a snapshot can be given back as a selector.

#include <string_view>

namespace clawperator {

// Points into a constant table; "view" for a class nobody knows.
std::string_view role_of_class(std::string_view class_name);

}  // namespace clawperator
