#include "runtime/ui/refs.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/hints.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

namespace {

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

bool class_suggests(const UiNode& node, std::string_view role) {
  return std::ranges::any_of(kSharedRoles, [&](const SharedRole& shared) {
    return shared.role == role && node.class_name.find(shared.class_part) != std::string::npos;
  });
}

// The fields that can distinguish a node, by falling stability: the bits of a field set.
enum Field : unsigned { field_id = 1, field_description = 2, field_text = 4, field_role = 8 };

// An empty field that shows its hint reports the hint as its text to the Operator app, and a
// selector finds it by the hint on both backends.
const std::string& text_or_hint(const UiNode& node) {
  return node.flags.editable && node.text.empty() ? node.hint : node.text;
}

unsigned usable_fields(const UiNode& node) {
  unsigned fields = 0;
  if (is_usable(node.resource_id)) fields |= field_id;
  if (is_usable(node.description)) fields |= field_description;
  if (is_usable(text_or_hint(node))) fields |= field_text;
  if (class_suggests(node, node.role)) fields |= field_role;
  return fields;
}

NodeMatcher matcher_of(const UiNode& node, unsigned fields) {
  NodeMatcher matcher;
  if (fields & field_id) matcher.resource_id = node.resource_id;
  if (fields & field_description) matcher.description_equals = node.description;
  if (fields & field_text) matcher.text_equals = text_or_hint(node);
  if (fields & field_role) matcher.role = std::string(node.role);
  return matcher;
}

// Whether the device might find `other` too: it may see a button in a RadioButton.
bool may_match(const NodeMatcher& matcher, const UiNode& other) {
  if (!matcher.role || !class_suggests(other, *matcher.role)) return matches(matcher, other);
  NodeMatcher without_role = matcher;
  without_role.role.reset();
  return matches(without_role, other);
}

std::ptrdiff_t count_like(const UiTree& tree, const NodeMatcher& matcher) {
  return std::ranges::count_if(tree.nodes,
                               [&](const UiNode& other) { return may_match(matcher, other); });
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

namespace {

bool is_id_of(std::string_view id, const std::string& app) {
  return !app.empty() && id.starts_with(app + ":id/");
}

std::string app_id_around(const UiTree& tree, std::size_t node) {
  const std::string& app = tree.nodes[node].package;
  if (is_id_of(tree.nodes[node].resource_id, app)) return {};
  for (std::size_t at = tree.nodes[node].parent; at != kNoNode; at = tree.nodes[at].parent) {
    const std::string& id = tree.nodes[at].resource_id;
    if (is_id_of(id, app) && id.size() <= kMaxMatcherValueLength) return id;
  }
  return {};
}

// First all fields of the node except its role, then its role, too. The text of a field changes as
// a person types, so it counts only where it makes the matcher unique.
NodeMatcher fullest_matcher(const UiTree& tree, std::size_t node, RefUse use, bool* is_unique) {
  const UiNode& wanted = tree.nodes[node];
  const unsigned usable = usable_fields(wanted);
  const bool may_change = use == RefUse::text || wanted.flags.editable;
  const unsigned lasting = may_change ? usable & ~unsigned{field_text} : usable;
  for (const unsigned fields :
       {lasting & ~unsigned{field_role}, lasting, usable & ~unsigned{field_role}, usable}) {
    if (fields == 0) continue;
    NodeMatcher matcher = matcher_of(wanted, fields);
    *is_unique = count_like(tree, matcher) == 1;
    if (*is_unique) return matcher;
  }
  return matcher_of(wanted, usable);
}

}  // namespace

bool ShownNode::is_bound_to_app() const {
  const auto binds = [this](std::string_view id) { return is_id_of(id, app); };
  if (binds(matcher.resource_id.value_or("")) || !ancestor_id.empty()) return true;
  return witnesses.are_contained() &&
         (binds(witnesses.container_id) || binds(witnesses.texts.front().resource_id.value_or("")));
}

namespace {

// Identifies a window: the screen's rotation, and the bounds of its root.
std::string window_text(const UiTree& tree, std::size_t node) {
  const Bounds& root = tree.nodes[window_of(tree, node)].bounds;
  std::string window = std::to_string(tree.rotation);
  for (const int side : {root.left, root.top, root.right, root.bottom}) {
    window += "," + std::to_string(side);
  }
  return window;
}

// Where the screen was turned in between, every window covers something else.
bool is_same_window(std::string_view shown, std::string_view now) {
  return shown.empty() || shown == now ||
         shown.substr(0, shown.find(',')) != now.substr(0, now.find(','));
}

}  // namespace

ShownNode shown_node(const UiTree& tree, std::size_t node, RefUse use) {
  const UiNode& wanted = tree.nodes[node];
  ShownNode shown;
  shown.ref = to_string(ObservationRef{tree.hash, wanted.ref});
  shown.app = wanted.package;
  shown.front = main_package(tree);
  shown.class_name = wanted.class_name;
  shown.bounds = wanted.bounds;
  shown.appearance = appearance_hash(tree, node);
  shown.window = window_text(tree, node);
  shown.matcher = fullest_matcher(tree, node, use, &shown.is_unique);
  shown.ancestor_id = app_id_around(tree, node);
  shown.witnesses = witnesses_of(tree, node);
  return shown;
}

std::vector<RankedSelector> selectors_of(const UiTree& tree, std::size_t node) {
  // A role distinguishes a row from its label with the same text; alone it finds any row.
  constexpr auto kRanked = std::to_array<unsigned>(
      {field_id, field_description, field_text, field_id | field_description, field_id | field_text,
       field_description | field_text, field_id | field_role, field_description | field_role,
       field_text | field_role, field_id | field_text | field_role});
  const unsigned usable = usable_fields(tree.nodes[node]);
  std::vector<RankedSelector> ranked, of_several;
  for (const unsigned fields : kRanked) {
    if ((fields & usable) != fields) continue;
    NodeMatcher matcher = matcher_of(tree.nodes[node], fields);
    const auto found = matching_nodes(tree, matcher);
    const auto at = std::ranges::find(found, node);
    if (at == found.end()) continue;  // the app gives the node another role
    const auto nth = static_cast<std::size_t>(at - found.begin()) + 1;
    (found.size() == 1 ? ranked : of_several).push_back({std::move(matcher), found.size(), nth});
  }
  std::ranges::move(of_several, std::back_inserter(ranked));
  return ranked;
}

std::expected<std::size_t, std::string_view> find_shown(const UiTree& now, const ShownNode& shown) {
  if (main_package(now) != shown.front) return std::unexpected(kOtherApp);
  if (shown.ref.empty()) return 0;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < now.nodes.size(); ++i) {
    const UiNode& node = now.nodes[i];
    if (!may_match(shown.matcher, node)) continue;
    const bool is_twin = node.bounds == shown.bounds && node.class_name == shown.class_name;
    if (!shown.is_unique && (!is_twin || appearance_hash(now, i) != shown.appearance)) continue;
    if (found) return std::unexpected("several nodes are like its node now");
    found = i;
  }
  const bool is_it = found && now.nodes[*found].package == shown.app &&
                     now.nodes[*found].class_name == shown.class_name;
  if (!is_it) return std::unexpected("its node is not there any more");
  if (!is_same_window(shown.window, window_text(now, *found))) {
    return std::unexpected("another window is in front");
  }
  if (!has_most(now, *found, shown.witnesses)) {
    return std::unexpected("its window shows other texts now");
  }
  return *found;
}

std::string showing(std::string_view serial, std::string_view own_name) {
  return std::string(serial).append("\t").append(own_name).append("\n");
}

bool has_shown(std::string_view shown_by, std::string_view serial, std::string_view own_name) {
  while (!shown_by.empty()) {
    const std::string_view line = take_line(&shown_by);
    const auto tab = line.find('\t');
    if (tab == line.npos || line.substr(0, tab) != serial) continue;
    const std::string_view own = line.substr(tab + 1);
    if (own == own_name || own == serial || own_name == serial) return true;
  }
  return false;
}

Error stale_ref(const ShownNode& shown, std::string_view why, std::string_view front) {
  ErrorMembers details;
  if (shown.ref.empty()) {
    details.text("foreground", front).text("previous", shown.front);
    return {errc::app_not_in_front,
            std::string(front) + " is in front now, not " + shown.front +
                ", which was shown: nothing was done; " + hints::new_snapshot.with(),
            ErrorMembers().object("details", details).str()};
  }
  details.text("ref", shown.ref).text("shownIn", shown.front);
  if (!front.empty()) details.text("front", front);
  return {errc::stale_ref,
          "ref " + shown.ref + " is stale: " + std::string(why) + ". Nothing was done; " +
              hints::new_snapshot.with(),
          ErrorMembers().object("details", details).str()};
}

}  // namespace clawperator
