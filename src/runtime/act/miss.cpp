#include "runtime/act/miss.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/act/ref.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/matcher_json.hpp"
#include "runtime/ui/near_matches.hpp"

namespace clawperator::act {
namespace {

constexpr std::size_t kNearMatches = 5;

NodeMatcher fields_of(const Selector& selector) {
  return selector.as_given ? read_matcher(*selector.as_given) : selector.fields;
}

struct Wanted {
  NodeMatcher operator()(const Click& click) const {
    const auto* selector = std::get_if<Selector>(&click.place.at);
    return selector ? fields_of(*selector) : NodeMatcher{};
  }
  NodeMatcher operator()(const EnterText& action) const { return fields_of(action.field); }
  NodeMatcher operator()(const ReadText& action) const { return fields_of(action.node); }
  NodeMatcher operator()(const ReadValue& action) const { return fields_of(action.label); }
  NodeMatcher operator()(const WaitForNode& action) const { return fields_of(action.node); }
  NodeMatcher operator()(const ScrollUntil& action) const { return fields_of(action.node); }
  NodeMatcher operator()(const auto&) const { return {}; }
};

// What a dialog of the system or of an app is called: android:id/alertTitle, its own one's
// likewise.
const UiNode* dialog_title(const UiTree& screen) {
  for (const UiNode& node : screen.nodes) {
    if (node.resource_id.ends_with(":id/alertTitle")) return &node;
  }
  return nullptr;
}

}  // namespace

bool is_miss(const Envelope& envelope) {
  return envelope.error && (envelope.error->starts_with("No UI node found") ||
                            envelope.error->starts_with("Timeout waiting for node"));
}

NodeMatcher wanted_node(const Action& action) { return std::visit(Wanted{}, action); }

JsonObject tell_miss(const UiTree& screen, const NodeMatcher& wanted) {
  std::vector<std::string> lines;
  for (const std::size_t node : near_matches(screen, wanted, kNearMatches)) {
    lines.push_back(screen.hash + describe(screen.nodes[node]));
  }
  JsonObject told;
  told.text("foreground", main_package(screen));
  if (const UiNode* title = dialog_title(screen)) told.text("dialog", label_of(*title));
  return told.strings("near", lines);
}

std::string app_that_left(const std::optional<UiTree>& seen, const UiTree& screen) {
  if (!seen) return {};
  std::string before = main_package(*seen);
  return before == main_package(screen) ? std::string() : before;
}

std::optional<UiTree> tree_of(const StepResult& snapshot) {
  const std::string* xml = snapshot.success ? find_data(snapshot.data, "text") : nullptr;
  if (!xml) return std::nullopt;
  auto tree = parse_hierarchy(*xml);
  if (!tree) return std::nullopt;
  return *std::move(tree);
}

std::optional<std::string> what_stops(const UiTree& screen, const Action& action) {
  const auto* click = std::get_if<Click>(&action);
  if (!click && !std::holds_alternative<EnterText>(action)) return std::nullopt;
  const auto [width, height] = screen.screen;
  const auto* point = click ? std::get_if<Point>(&click->place.at) : nullptr;
  if (point) {
    const bool is_outside = point->x < 0 || point->y < 0 ||
                            static_cast<std::uint32_t>(point->x) >= width ||
                            static_cast<std::uint32_t>(point->y) >= height;
    if (!is_outside || width == 0) return std::nullopt;
    return "the point is outside of the screen, which is " + std::to_string(width) + "x" +
           std::to_string(height);
  }
  const NodeMatcher wanted = wanted_node(action);
  const auto node = wanted == NodeMatcher{} ? std::nullopt : find_node(screen, wanted);
  if (!node || screen.nodes[*node].flags.enabled) return std::nullopt;
  return "the node is disabled";
}

Result<NthPlace> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth) {
  const auto found = matching_nodes(screen, wanted);
  if (nth <= found.size()) return NthPlace{place_of(screen, found[nth - 1]), found.size()};
  JsonObject details = tell_miss(screen, wanted);
  details.number("matches", static_cast<std::int64_t>(found.size()));
  return fail(
      errc::node_not_found,
      std::to_string(found.size()) + " nodes match: there is no number " + std::to_string(nth),
      ErrorMembers().object("details", details).str());
}

}  // namespace clawperator::act
