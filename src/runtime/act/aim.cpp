#include "runtime/act/aim.hpp"

#include <algorithm>

#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {
namespace {

bool is_aimed(const Action& action) {
  return std::holds_alternative<Click>(action) || wanted_node(action) != NodeMatcher{};
}

}  // namespace

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
  if (nth >= 1 && nth <= found.size()) {
    const std::size_t node = found[nth - 1];
    return NthPlace{place_of(screen, node), {found.size(), describe_unnamed(screen.nodes[node])}};
  }
  JsonObject details = tell_miss(screen, wanted);
  details.number("matches", static_cast<std::int64_t>(found.size()));
  return fail_with(
      errc::node_not_found,
      std::to_string(found.size()) + " nodes match: there is no number " + std::to_string(nth),
      details);
}

Result<Selector> selector_of(const NthPlace& found) {
  if (const auto* selector = std::get_if<Selector>(&found.place.at)) return *selector;
  return fail(errc::usage, "that field is like another one in everything that a selector tells");
}

JsonObject tell_target(StepResult* before, const StepResult* after, const Action& action,
                       bool counts) {
  JsonObject told;
  const StepResult* seen = before ? before : after;
  const auto screen = seen && is_aimed(action) ? tree_of(*seen) : std::nullopt;
  if (!screen) return told;
  const NodeMatcher wanted = wanted_node(action);
  if (counts && before && wanted != NodeMatcher{}) {
    const Matches matches = matches_of(*screen, wanted);
    if (matches.are_several()) matches.tell(told);
  }
  if (before) set_data(before->data, "tree_hash", screen->hash);
  if (const auto why = what_stops(*screen, action)) told.text("warn", *why);
  return told;
}

bool tells_matches(const Envelope& envelope) {
  return std::ranges::any_of(envelope.step_results, [](const StepResult& step) {
    return find_data(step.data, "matches") != nullptr;
  });
}

}  // namespace clawperator::act
