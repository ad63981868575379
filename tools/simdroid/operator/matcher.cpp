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
         description_contains || !ancestor.empty() || !descendant.empty();
}

bool Matcher::matches(const View& view, const View& root) const {
  return matches_alone(view) && has_descendant(view) && has_ancestor(view, root);
}

bool Matcher::has_descendant(const View& view) const {
  if (descendant.empty()) return true;
  return std::ranges::any_of(view.children, [this](const View& child) {
    return find_view(child, [this](const View& each) {
             return descendant.front().matches_alone(each);
           }) != nullptr;
  });
}

bool Matcher::has_ancestor(const View& view, const View& root) const {
  if (ancestor.empty()) return true;
  const auto path = path_to(root, &view);
  return std::any_of(path.begin(), path.end(), [&](const View* each) {
    return each != &view && ancestor.front().matches_alone(*each);
  });
}

bool Matcher::matches_alone(const View& view) const {
  return equals(resource_id, view.spec->resource_id) && equals(text_equals, label_of(view)) &&
         contains(text_contains, label_of(view)) &&
         equals(description_equals, view.spec->description) &&
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
  for (const auto& [name, related] :
       {std::pair("ancestor", &ancestor), std::pair("descendant", &descendant)}) {
    if (!related->empty()) add(name, related->front().describe());
  }
  return out + ")";
}

View on_screen_only(const View& root, const Rect& display) {
  View kept{root.spec,       root.bounds,        root.frame,      root.reported,
            root.visible,    root.text,          root.checked,    root.focused,
            root.scrollable, root.scroll_offset, root.scroll_max, {}};
  for (const View& child : root.children) {
    const Rect sorted{std::min(child.reported.left, child.reported.right),
                      std::min(child.reported.top, child.reported.bottom),
                      std::max(child.reported.left, child.reported.right),
                      std::max(child.reported.top, child.reported.bottom)};
    if (!child.visible || sorted.empty() || sorted.clipped(display).empty()) continue;
    kept.children.push_back(on_screen_only(child, display));
  }
  return kept;
}

const View* self_or_above(const View& root, const View& view, bool NodeSpec::* property) {
  constexpr std::size_t kLevels = 8;
  const auto path = path_to(root, &view);
  for (std::size_t up = 0; up < std::min(kLevels, path.size()); ++up) {
    const View* each = path[path.size() - 1 - up];
    if (each->spec->*property) return each;
  }
  return nullptr;
}

const View* find_match(const View& root, const Matcher& matcher) {
  return find_view(root, [&](const View& view) { return matcher.matches(view, root); });
}

std::vector<const View*> all_matches(const View& root, const Matcher& matcher, const View* scope) {
  std::vector<const View*> found;
  for_each_view(scope != nullptr ? *scope : root, [&](const View& view) {
    if (&view != scope && matcher.matches(view, root)) found.push_back(&view);
  });
  return found;
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
