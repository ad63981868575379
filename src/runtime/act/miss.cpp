#include "runtime/act/miss.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/contract/json_document.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/near_matches.hpp"

namespace clawperator::act {
namespace {

constexpr std::size_t kNearMatches = 5;

// Of an object that a caller wrote, the fields that have their published names.
NodeMatcher fields_of(const Selector& selector) {
  if (!selector.as_given) return selector.fields;
  NodeMatcher fields;
  const auto take = [&](std::string_view name, std::optional<std::string>& field) {
    if (const std::string* value = string_value(find_member(*selector.as_given, name))) {
      field = *value;
    }
  };
  take("resourceId", fields.resource_id);
  take("textEquals", fields.text_equals);
  take("textContains", fields.text_contains);
  take("contentDescEquals", fields.description_equals);
  take("contentDescContains", fields.description_contains);
  return fields;
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
