#include "runtime/act/aim.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {
namespace {

bool is_aimed(const Action& action) {
  return std::holds_alternative<Click>(action) || wanted_node(action) != NodeMatcher{};
}

}  // namespace

std::optional<std::string> what_stops(const UiTree& screen, const Action& action) {
  if (!std::holds_alternative<Click>(action) && !std::holds_alternative<EnterText>(action)) {
    return std::nullopt;
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
    const UiNode& taken = screen.nodes[node];
    TRY(Place place, place_of(screen, node));
    return NthPlace{
        std::move(place), {found.size(), describe_unnamed(taken)}, taken.flags.password};
  }
  JsonObject details = tell_miss(screen, wanted);
  details.number("matches", static_cast<std::int64_t>(found.size()));
  return fail_with(
      errc::node_not_found,
      std::to_string(found.size()) + " nodes match: there is no number " + std::to_string(nth),
      details);
}

JsonObject tell_several(const UiTree& screen, const NodeMatcher& wanted) {
  constexpr std::size_t kMost = 10;
  const auto found = matching_nodes(screen, wanted);
  std::vector<std::string> lines;
  for (const std::size_t node : std::span(found).first(std::min(found.size(), kMost))) {
    const UiNode& one = screen.nodes[node];
    lines.push_back(one.ref == 0 ? describe_unnamed(one) : screen.hash + describe(one));
  }
  JsonObject told;
  told.number("matches", static_cast<std::int64_t>(found.size())).strings("candidates", lines);
  return told.text("hint", "nothing was done: name one by its ref, or by nth from 1 on");
}

Result<void> check_alone(const UiTree& screen, const NodeMatcher& wanted) {
  const std::size_t count = matching_nodes(screen, wanted).size();
  if (count <= 1) return ok();
  return fail(errc::node_ambiguous, std::to_string(count) + " nodes match",
              tell_several(screen, wanted).str());
}

bool is_strict(const Action& action) {
  return std::visit(
      [](const auto& one) {
        if constexpr (requires { one.strict; }) {
          return one.strict;
        } else {
          return false;
        }
      },
      action);
}

Action as_strict(Action action, bool strict) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.strict; }) one.strict = strict;
      },
      action);
  return action;
}

bool is_too_old_to_be_strict(const Error& error) {
  return error.code() == errc::operator_feature_missing &&
         error.members().contains(R"("feature":"strict")");
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
