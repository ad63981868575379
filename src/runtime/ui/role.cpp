#include "runtime/ui/role.hpp"

#include <array>

namespace clawperator {
namespace {

struct RoleRule {
  std::string_view ending;  // of the simple class name
  std::string_view role;
};

// First match wins, so the longer ending stands before the one it contains.
constexpr std::array kRules = std::to_array<RoleRule>({
    {"EditText", "textfield"},
    {"AutoCompleteTextView", "textfield"},
    {"SearchView", "search"},
    {"CheckedTextView", "checkbox"},
    {"CheckBox", "checkbox"},
    {"RadioButton", "radio"},
    {"RadioGroup", "group"},
    {"ToggleButton", "switch"},
    {"Switch", "switch"},
    {"SwitchCompat", "switch"},
    {"SwitchMaterial", "switch"},
    {"MaterialSwitch", "switch"},
    {"Chip", "button"},
    {"Button", "button"},
    {"WebView", "web"},
    {"ImageView", "image"},
    {"Image", "image"},
    {"Spinner", "spinner"},
    {"SeekBar", "slider"},
    {"Slider", "slider"},
    {"RatingBar", "slider"},
    {"ProgressBar", "progress"},
    {"ProgressIndicator", "progress"},
    {"NumberPicker", "picker"},
    {"DatePicker", "picker"},
    {"TimePicker", "picker"},
    {"RecyclerView", "list"},
    {"ListView", "list"},
    {"GridView", "list"},
    {"ScrollView", "scroller"},
    {"ViewPager", "pager"},
    {"ViewPager2", "pager"},
    {"Toolbar", "toolbar"},
    {"ActionBar$Tab", "tab"},
    {"TabView", "tab"},
    {"TabWidget", "tabs"},
    {"TabLayout", "tabs"},
    {"VideoView", "video"},
    {"TextView", "text"},
    {"Chronometer", "text"},
    {"TextClock", "text"},
    {"Layout", "group"},
    {"ViewGroup", "group"},
    {"CardView", "group"},
});

}  // namespace

std::string_view role_of_class(std::string_view class_name) {
  const std::string_view simple = class_name.substr(class_name.rfind('.') + 1);
  for (const auto& rule : kRules) {
    if (simple.ends_with(rule.ending)) return rule.role;
  }
  return "view";
}

}  // namespace clawperator
