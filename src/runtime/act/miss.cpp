#include "runtime/act/miss.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/ui/describe.hpp"
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
  return told.text("foreground", main_package(screen)).strings("near", lines);
}

}  // namespace clawperator::act
