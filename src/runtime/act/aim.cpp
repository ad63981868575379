#include "runtime/act/aim.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/act/ref.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::act {
namespace {

bool is_aimed(const Action& action) {
  return action.is<Click>() || wanted_node(action) != NodeMatcher{};
}

}  // namespace

std::optional<std::string> what_stops(const UiTree& screen, const Action& action) {
  if (!action.is<Click>() && !action.is<EnterText>()) return std::nullopt;
  const NodeMatcher wanted = wanted_node(action);
  const auto node = wanted == NodeMatcher{} ? std::nullopt : find_node(screen, wanted);
  if (!node || screen.nodes[*node].flags.enabled) return std::nullopt;
  return "the node is disabled";
}

Result<std::size_t> nth_node(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth,
                             std::span<const std::size_t> found) {
  if (nth >= 1 && nth <= found.size()) return found[nth - 1];
  JsonObject details = describe_miss(screen, wanted);
  details.number("matches", static_cast<std::int64_t>(found.size()));
  return fail_with(
      errc::node_not_found,
      std::to_string(found.size()) + " nodes match: there is no number " + std::to_string(nth),
      details);
}

Result<Target> find_nth(const UiTree& screen, const NodeMatcher& wanted, std::size_t nth) {
  const auto found = matching_nodes(screen, wanted);
  TRY(const std::size_t node, nth_node(screen, wanted, nth, found));
  const UiNode& taken = screen.nodes[node];
  TRY(Target target, target_of(screen, node));
  target.matches = {found.size(), describe_unnamed(taken)};
  target.is_password = taken.flags.password;
  return target;
}

JsonObject describe_candidates(const UiTree& screen, std::span<const std::size_t> found,
                               std::string_view hint) {
  constexpr std::size_t kMost = 10;  // a model reads ten lines; more call for a narrower selector
  std::vector<std::string> lines;
  for (const std::size_t node : found.first(std::min(found.size(), kMost))) {
    const UiNode& one = screen.nodes[node];
    // With its place: the others may have the same texts.
    const std::string ref = one.ref == 0 ? "" : screen.hash + '@' + std::to_string(one.ref) + ' ';
    lines.push_back(ref + describe_unnamed(one));
  }
  JsonObject details;
  details.number("matches", static_cast<std::int64_t>(found.size())).strings("candidates", lines);
  return details.text("hint", hint);
}

Result<void> check_alone(const UiTree& screen, const NodeMatcher& wanted) {
  const auto found = matching_nodes(screen, wanted);
  if (found.size() <= 1) return ok();
  return fail(errc::node_ambiguous, std::to_string(found.size()) + " nodes match",
              describe_candidates(screen, found).str());
}

void put_at(Click& click, const Place& place) {
  click.matcher.reset();
  click.coordinate.reset();
  if (const auto* selector = std::get_if<Selector>(&place)) {
    click.matcher = *selector;
  } else {
    const Point at = std::get<Point>(place);
    click.coordinate = Coordinate(at.x, at.y);
    click.strict.reset();  // there is but one
  }
}

namespace {

// The retry of a kind that takes its node at once. A wait and a scroll have their own time.
std::optional<Retry>* search_of(Action& action) {
  if (auto* click = action.as<Click>()) return click->matcher ? &click->retry : nullptr;
  if (auto* enter = action.as<EnterText>()) return &enter->retry;
  if (auto* read = action.as<ReadText>()) return &read->retry;
  if (auto* value = action.as<ReadValue>()) return &value->retry;
  return nullptr;
}

}  // namespace

void search_for(Action& action, std::chrono::milliseconds patience) {
  auto* const search = search_of(action);
  if (search && !*search) *search = retry_for(patience);
}

bool is_strict(const Action& action) {
  const bool* strict = param_as<bool>(action, "strict");
  return strict && *strict;
}

Action not_strict(Action action) {
  std::visit(
      [](auto& one) {
        if constexpr (requires { one.strict; }) one.strict.reset();
      },
      action.kind);
  return action;
}

bool is_too_old_to_be_strict(const Error& error) {
  return error.code() == errc::operator_feature_missing &&
         error.members().contains(R"("feature":"strict")");
}

namespace {

// A node that was seen is there, or a wait does not bring it: a second try bridges a redraw.
constexpr std::chrono::milliseconds kRedraw{250};

Json document_of(const Selector& selector) {
  Json matcher = Json::object();
  for (const auto& [name, field, aliases] : matcher_fields()) {
    if (const auto& value = selector.fields.*field) matcher[name] = *value;
  }
  return matcher;
}

std::unexpected<Error> on_no_node() {
  return fail(errc::usage, "nth and ref are for an action on a node that a matcher names");
}

// One overload for each kind of action that takes one node.
struct AimAt {
  const Target& target;

  bool operator()(Click& click) const {
    put_at(click, target.place);
    if (click.matcher && !click.retry) click.retry = retry_for(kRedraw);
    return true;
  }
  bool operator()(EnterText& enter) const {
    enter.secret = enter.secret || target.is_password;
    return set(enter.matcher, &enter.retry);
  }
  bool operator()(ReadText& read) const { return set(read.matcher, &read.retry); }
  bool operator()(WaitForNode& wait) const { return set(wait.matcher); }
  bool operator()(WaitForNavigation& wait) const { return set(wait.expected_node); }
  template <std::derived_from<ScrollTo> Scrolls>
  bool operator()(Scrolls& scroll) const {
    return set(scroll.matcher);
  }
  bool operator()(auto&) const { return false; }

 private:
  bool set(std::optional<Selector>& matcher, std::optional<Retry>* retry = nullptr) const {
    const auto* selector = std::get_if<Selector>(&target.place);
    if (!selector) return false;
    matcher = *selector;
    if (retry && !*retry) *retry = retry_for(kRedraw);
    return true;
  }
};

}  // namespace

RefUse ref_use_of(const Action& action) {
  return action.is<EnterText>() || action.is<ReadText>() ? RefUse::text : RefUse::press;
}

Result<Action> aimed_at(Action action, const Target& target, const Error& otherwise) {
  if (std::visit(AimAt{target}, action.kind)) return action;
  if (std::holds_alternative<Point>(target.place)) return std::unexpected(otherwise);
  return on_no_node();
}

Result<void> aim_step(Json& step, const Target& target, const Error& otherwise) {
  const std::string* name = string_value(find_member(step, "type"));
  const auto type = name ? find_action(*name) : std::nullopt;
  const auto knows = {ActionType::click, ActionType::enter_text, ActionType::read_text};
  if (!type || std::ranges::find(knows, *type) == knows.end()) return on_no_node();
  Json& params = step["params"];
  if (!params.is_object()) params = Json::object();
  if (const auto* selector = std::get_if<Selector>(&target.place)) {
    params["matcher"] = document_of(*selector);
  } else if (*type == ActionType::click) {
    const Point point = std::get<Point>(target.place);
    params.erase("matcher");
    params["coordinate"] = {{"x", point.x}, {"y", point.y}};
  } else {
    return std::unexpected(otherwise);
  }
  if (target.is_password && *type == ActionType::enter_text) params["secret"] = true;
  return ok();
}

TargetReport report_target(StepResult* before, const StepResult* after, const Action& action) {
  TargetReport report;
  const StepResult* seen = before ? before : after;
  const auto screen = seen && is_aimed(action) ? tree_of(*seen) : std::nullopt;
  if (!screen) return report;
  const NodeMatcher wanted = wanted_node(action);
  if (before && wanted != NodeMatcher{}) report.matches = matches_of(*screen, wanted);
  if (!report.matches.are_several()) report.matches = {};
  if (before) set_data(before->data, "tree_hash", screen->hash);
  report.stopped_by = what_stops(*screen, action);
  return report;
}

bool has_matches(const Envelope& envelope) {
  return std::ranges::any_of(envelope.step_results, [](const StepResult& step) {
    return find_data(step.data, "matches") != nullptr;
  });
}

}  // namespace clawperator::act
