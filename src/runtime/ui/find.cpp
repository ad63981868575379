#include "runtime/ui/find.hpp"

#include <algorithm>
#include <ranges>

#include "base/text.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/near_text.hpp"

namespace clawperator {

namespace {

struct ClassRole {
  std::string_view part;  // of the class name
  std::string_view role;
};

// The first part that the class name contains decides.
constexpr auto kOperatorRoles = std::to_array<ClassRole>({
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
});

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};

Range range_of(const UiTree& tree, std::size_t below) {
  if (below == kNoNode) return {0, tree.nodes.size()};
  return {below, end_of_subtree(tree, below)};
}

template <class Wanted>
std::optional<std::size_t> first_of(const UiTree& tree, std::size_t below, const Wanted& wanted) {
  const auto [begin, end] = range_of(tree, below);
  for (std::size_t i = begin; i < end; ++i) {
    if (wanted(tree.nodes[i])) return i;
  }
  return std::nullopt;
}

bool has_text(std::string_view text) { return !trimmed(text).empty(); }

// The first text after `child` inside `parent`; where one is named .../summary, that one.
std::optional<std::size_t> text_after(const UiTree& tree, std::size_t parent, std::size_t child) {
  std::optional<std::size_t> first;
  for (std::size_t i = end_of_subtree(tree, child); i < end_of_subtree(tree, parent); ++i) {
    const UiNode& node = tree.nodes[i];
    if (!has_text(node.text)) continue;
    if (node.resource_id.ends_with("/summary")) return i;
    if (!first) first = i;
  }
  return first;
}

}  // namespace

bool matches_as_operator(const NodeMatcher& matcher, const UiNode& node) {
  if (matches(matcher, node)) return true;
  if (!matcher.role || ascii_lower(*matcher.role) != operator_role(node)) return false;
  NodeMatcher rest = matcher;
  rest.role.reset();
  return matches(rest, node);
}

std::string_view operator_role(const UiNode& node) {
  for (const auto& [part, role] : kOperatorRoles) {
    if (node.class_name.find(part) != std::string::npos) return role;
  }
  return node.flags.clickable && !node.children.empty() ? "listitem" : "unknown";
}

std::string describe(const NodeMatcher& matcher) {
  std::string out = "NodeMatcher(";
  const auto add = [&out](std::string_view name, const std::optional<std::string>& value) {
    if (!value) return;
    if (!out.ends_with('(')) out += ", ";
    out.append(name).append("=").append(*value);
  };
  add("resourceId", matcher.resource_id);
  add("role", matcher.role);
  add("textEquals", matcher.text_equals);
  add("textContains", matcher.text_contains);
  add("contentDescEquals", matcher.description_equals);
  add("contentDescContains", matcher.description_contains);
  return out + ")";
}

std::size_t end_of_subtree(const UiTree& tree, std::size_t root) {
  std::size_t end = root + 1;
  while (end < tree.nodes.size() && tree.nodes[end].depth > tree.nodes[root].depth) ++end;
  return end;
}

std::optional<std::size_t> find_node(const UiTree& tree, const NodeMatcher& matcher,
                                     std::size_t below) {
  return first_of(tree, below,
                  [&](const UiNode& node) { return matches_as_operator(matcher, node); });
}

std::optional<std::size_t> first_scrollable(const UiTree& tree, std::size_t below) {
  return first_of(tree, below, [](const UiNode& node) { return node.flags.scrollable; });
}

std::vector<std::size_t> matching_nodes(const UiTree& tree, const NodeMatcher& matcher,
                                        std::size_t below) {
  std::vector<std::size_t> found;
  const auto [begin, end] = range_of(tree, below);
  for (std::size_t i = begin; i < end; ++i) {
    if (matches_as_operator(matcher, tree.nodes[i])) found.push_back(i);
  }
  return found;
}

std::vector<std::string> all_labels(const UiTree& tree, const NodeMatcher& matcher,
                                    std::size_t below) {
  std::vector<std::string> labels;
  for (const std::size_t node : matching_nodes(tree, matcher, below)) {
    const std::string& label = label_of(tree.nodes[node]);
    if (has_text(label)) labels.push_back(label);
  }
  return labels;
}

std::optional<std::size_t> value_beside(const UiTree& tree, std::size_t label) {
  std::size_t child = label;
  for (std::size_t parent = tree.nodes[label].parent; parent != kNoNode;) {
    if (const auto value = text_after(tree, parent, child)) return value;
    if (operator_role(tree.nodes[parent]) == "listitem") return std::nullopt;
    child = parent;
    parent = tree.nodes[parent].parent;
  }
  return std::nullopt;
}

bool shows_the_same(const UiTree& a, std::size_t below_a, const UiTree& b, std::size_t below_b) {
  const auto [begin_a, end_a] = range_of(a, below_a);
  const auto [begin_b, end_b] = range_of(b, below_b);
  const auto look = [](const UiNode& node) {
    return std::tie(node.class_name, node.resource_id, node.text, node.description, node.bounds);
  };
  return std::ranges::equal(std::span(a.nodes).subspan(begin_a, end_a - begin_a),
                            std::span(b.nodes).subspan(begin_b, end_b - begin_b),
                            [&](const UiNode& x, const UiNode& y) { return look(x) == look(y); });
}

void Matches::add_to(JsonObject& json) const {
  json.number("matches", static_cast<std::int64_t>(count));
  if (!taken.empty()) json.text("taken", taken);
}

Matches matches_of(const UiTree& tree, const NodeMatcher& matcher) {
  const auto found = matching_nodes(tree, matcher);
  return {found.size(),
          found.empty() ? std::string() : describe_unnamed(tree.nodes[found.front()])};
}

namespace {

using Texts = std::vector<NearText>;

// An id like "com.example:id/name_field" is mostly known by the part behind the slash.
NearText own_name(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return NearText(slash == id.npos ? id : id.substr(slash + 1), NearText::Kind::id);
}

Texts texts_of(const NodeMatcher& wanted) {
  Texts texts;
  for (const auto* field : {&wanted.text_equals, &wanted.text_contains, &wanted.description_equals,
                            &wanted.description_contains}) {
    if (*field) texts.emplace_back(**field);
  }
  if (wanted.resource_id) texts.push_back(own_name(*wanted.resource_id));
  return texts;
}

Nearness nearness(const UiNode& node, const Texts& wanted) {
  Nearness best = Nearness::nothing;
  for (const NearText& shown : {NearText(node.text), NearText(node.description),
                                NearText(node.hint), own_name(node.resource_id)}) {
    for (const NearText& text : wanted) best = std::max(best, text.to(shown));
  }
  return best;
}

}  // namespace

std::vector<std::size_t> near_matches(const UiTree& tree, const NodeMatcher& wanted,
                                      std::size_t most) {
  const Texts texts = texts_of(wanted);
  std::vector<std::pair<Nearness, std::size_t>> compared;
  compared.reserve(tree.interesting.size());
  for (const std::size_t node : tree.interesting) {
    compared.emplace_back(nearness(tree.nodes[node], texts), node);
  }
  return nearest_first(std::move(compared), most);
}

}  // namespace clawperator
