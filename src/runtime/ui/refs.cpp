#include "runtime/ui/refs.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator {

namespace {

constexpr std::size_t kMaxMatcherField = 512;  // what validation allows

// Roles that the device infers from the class as we do, and the part of a class name that may lead
// it there. The others (text, image, ...) may become a listitem or a tab.
struct SharedRole {
  std::string_view role;
  std::string_view class_part;
};
constexpr std::array<SharedRole, 5> kSharedRoles = {{{"textfield", "EditText"},
                                                     {"textfield", "AutoCompleteTextView"},
                                                     {"button", "Button"},
                                                     {"switch", "Switch"},
                                                     {"checkbox", "CheckBox"}}};

bool equal_without_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower_char, lower_char);
}

bool contains_without_case(std::string_view text, std::string_view part) {
  return part.empty() || !std::ranges::search(text, part, {}, lower_char, lower_char).empty();
}

bool class_suggests(const UiNode& node, std::string_view role) {
  return std::ranges::any_of(kSharedRoles, [&](const SharedRole& shared) {
    return shared.role == role && node.class_name.find(shared.class_part) != std::string::npos;
  });
}

// The fields that can tell a node from others, by falling stability: the bits of a field set.
enum Field : unsigned { field_id = 1, field_description = 2, field_text = 4, field_role = 8 };

unsigned usable_fields(const UiNode& node) {
  const auto usable = [](std::string_view value) {
    return !value.empty() && value.size() <= kMaxMatcherField;
  };
  unsigned fields = 0;
  if (usable(node.resource_id)) fields |= field_id;
  if (usable(node.description)) fields |= field_description;
  if (usable(node.text)) fields |= field_text;
  if (class_suggests(node, node.role)) fields |= field_role;
  return fields;
}

NodeMatcher matcher_of(const UiNode& node, unsigned fields) {
  NodeMatcher matcher;
  if (fields & field_id) matcher.resource_id = node.resource_id;
  if (fields & field_description) matcher.description_equals = node.description;
  if (fields & field_text) matcher.text_equals = node.text;
  if (fields & field_role) matcher.role = std::string(node.role);
  return matcher;
}

// All sets of fields, smaller ones first, and among equals those with stabler fields.
constexpr std::array<unsigned, 15> kFieldSets = [] {
  std::array<unsigned, 15> sets{};
  for (unsigned i = 0; i < sets.size(); ++i) sets[i] = i + 1;
  std::ranges::sort(sets, [](unsigned a, unsigned b) {
    return std::popcount(a) != std::popcount(b) ? std::popcount(a) < std::popcount(b) : a < b;
  });
  return sets;
}();

// Whether the device might find `other` too: it may see a button in a RadioButton.
bool may_match(const NodeMatcher& matcher, const UiNode& other) {
  if (!matcher.role || !class_suggests(other, *matcher.role)) return matches(matcher, other);
  NodeMatcher without_role = matcher;
  without_role.role.reset();
  return matches(without_role, other);
}

}  // namespace

std::string to_string(const ObservationRef& ref) {
  return ref.hash + "@" + std::to_string(ref.number);
}

Result<ObservationRef> parse_ref(std::string_view text) {
  const auto bad = [&] {
    return fail(errc::usage, "not a ref: '" + std::string(text.substr(0, 80)) +
                                 "' (expected HASH@N: a snapshot's hash and a node's number)");
  };
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos) return bad();
  ObservationRef ref{std::string(text.substr(0, at)),
                     whole_number<int>(text.substr(at + 1)).value_or(0)};
  if (ref.number < 1) return bad();
  if (!is_hex(ref.hash, ref.hash.size())) return bad();
  return ref;
}

Result<std::size_t> resolve_ref(const UiTree& tree, std::string_view text) {
  TRY(const ObservationRef ref, parse_ref(text));
  if (!ref.hash.empty() && ref.hash != tree.hash) {
    return fail(errc::stale_ref,
                "ref " + to_string(ref) + " is of another screen than " + tree.hash);
  }
  const auto place = static_cast<std::size_t>(ref.number) - 1;
  if (place >= tree.interesting.size()) {
    return fail(errc::stale_ref, "ref " + to_string(ref) + " is not on screen " + tree.hash +
                                     ", which has " + std::to_string(tree.interesting.size()));
  }
  return tree.interesting[place];
}

bool matches(const NodeMatcher& matcher, const UiNode& node) {
  const auto equals = [](const auto& wanted, std::string_view value) {
    return !wanted || *wanted == value;
  };
  const auto contains = [](const auto& wanted, std::string_view value) {
    return !wanted || contains_without_case(value, *wanted);
  };
  return equals(matcher.resource_id, node.resource_id) && equals(matcher.text_equals, node.text) &&
         equals(matcher.description_equals, node.description) &&
         contains(matcher.text_contains, node.text) &&
         contains(matcher.description_contains, node.description) &&
         (!matcher.role || equal_without_case(*matcher.role, node.role));
}

std::optional<NodeMatcher> unique_matcher(const UiTree& tree, std::size_t node) {
  const unsigned usable = usable_fields(tree.nodes[node]);
  for (const unsigned fields : kFieldSets) {
    if ((fields & usable) != fields) continue;
    NodeMatcher matcher = matcher_of(tree.nodes[node], fields);
    const auto count = std::ranges::count_if(
        tree.nodes, [&](const UiNode& other) { return may_match(matcher, other); });
    if (count == 1) return matcher;
  }
  return std::nullopt;
}

NodeMatcher read_matcher(const nlohmann::ordered_json& object) {
  NodeMatcher matcher;
  const auto take = [&](std::string_view name, std::optional<std::string>& field) {
    const std::string* value = string_value(find_member(object, name));
    if (value && !value->empty()) field = *value;
  };
  take("resourceId", matcher.resource_id);
  take("role", matcher.role);
  take("textEquals", matcher.text_equals);
  take("textContains", matcher.text_contains);
  take("contentDescEquals", matcher.description_equals);
  take("contentDescContains", matcher.description_contains);
  return matcher;
}

}  // namespace clawperator
