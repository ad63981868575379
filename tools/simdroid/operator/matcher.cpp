#include "simdroid/operator/matcher.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "base/text.hpp"

namespace simdroid {
namespace {

bool equals(const std::optional<std::string>& wanted, const std::string& value) {
  return !wanted || *wanted == value;
}

bool contains(const std::optional<std::string>& wanted, const std::string& value) {
  return !wanted || ascii_lower(value).find(ascii_lower(*wanted)) != std::string::npos;
}

}  // namespace

std::string_view role_of(const View& view) {
  // The first name that the class contains decides.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> roles{{
      {"EditText", "textfield"},
      {"AutoCompleteTextView", "textfield"},
      {"Switch", "switch"},
      {"ToggleButton", "switch"},
      {"CheckBox", "checkbox"},
      {"TabView", "tab"},
      {"Toolbar", "toolbar"},
      {"ImageButton", "button"},
      {"Button", "button"},
      {"ImageView", "image"},
      {"TextView", "text"},
  }};
  for (const auto& [part, role] : roles) {
    if (view.spec->class_name.find(part) != std::string::npos) return role;
  }
  return view.spec->clickable && !view.children.empty() ? "listitem" : "unknown";
}

const std::string& label_of(const View& view) {
  return view.text.empty() ? view.spec->description : view.text;
}

bool Matcher::given() const {
  return resource_id || role || text_equals || text_contains || description_equals ||
         description_contains;
}

bool Matcher::matches(const View& view) const {
  return equals(resource_id, view.spec->resource_id) && equals(text_equals, view.text) &&
         contains(text_contains, view.text) && equals(description_equals, view.spec->description) &&
         contains(description_contains, view.spec->description) &&
         (!role || ascii_lower(*role) == role_of(view));
}

std::string Matcher::describe() const {
  std::string out = "NodeMatcher(";
  const auto add = [&out](std::string_view name, const std::optional<std::string>& value) {
    if (!value) return;
    if (out.back() != '(') out += ", ";
    ((out += name) += '=') += *value;
  };
  add("resourceId", resource_id);
  add("role", role);
  add("textEquals", text_equals);
  add("textContains", text_contains);
  add("contentDescEquals", description_equals);
  add("contentDescContains", description_contains);
  return out + ")";
}

const View* find_match(const View& root, const Matcher& matcher) {
  return find_view(root, [&matcher](const View& view) { return matcher.matches(view); });
}

std::vector<const View*> path_to(const View& root, const View* target) {
  if (&root == target) return {&root};
  for (const View& child : root.children) {
    auto path = path_to(child, target);
    if (path.empty()) continue;
    path.insert(path.begin(), &root);
    return path;
  }
  return {};
}

}  // namespace simdroid
