#include "runtime/act/miss.hpp"

#include <algorithm>

#include "base/async/blocking.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {
namespace {

constexpr std::size_t kNearMatches = 5;
constexpr std::size_t kMostNear = 20;  // of several nodes that are wanted at once

}  // namespace

// An app before 0.10 reports a missing node by a message without a code.
bool is_miss(const Envelope& envelope) {
  if (envelope.error_code == "NODE_NOT_FOUND" || envelope.error_code == "WAIT_TIMEOUT") return true;
  return envelope.error && (envelope.error->starts_with("No UI node found") ||
                            envelope.error->starts_with("Timeout waiting for node"));
}

bool is_ambiguous(const Envelope& envelope) {
  constexpr std::string_view kAmbiguous = "NODE_AMBIGUOUS";
  return envelope.error_code == kAmbiguous ||
         std::ranges::any_of(envelope.step_results, [&](const StepResult& step) {
           const std::string* code = step.success ? nullptr : find_data(step.data, "error");
           return code && *code == kAmbiguous;
         });
}

NodeMatcher wanted_node(const Action& action) {
  const auto* read = action.as<ReadValue>();
  return read && read->label_matcher ? wanted_by(*read->label_matcher) : matched_by(action);
}

MissingNode find_missing(const Envelope& envelope, const Execution& plan) {
  const auto failed = std::ranges::find(envelope.step_results, false, &StepResult::success);
  const std::string id = failed == envelope.step_results.end() ? "" : failed->id;
  for (std::size_t step = 0; step < plan.actions.size(); ++step) {
    const NodeMatcher wanted = matched_by(plan.actions[step]);
    if (wanted == NodeMatcher{}) continue;
    const bool is_described = envelope.error && envelope.error->contains(describe(wanted));
    if (is_described || plan.actions[step].id == id) return {wanted, step};
  }
  return {};
}

std::optional<MissingNode> find_missing_container(Envelope& envelope, const Execution& plan) {
  std::optional<MissingNode> first;
  for (StepResult& step : envelope.step_results) {
    const std::string* code = step.success ? nullptr : code_of(step);
    const auto planned = std::ranges::find(plan.actions, step.id, &Action::id);
    if (!code || *code != "CONTAINER_NOT_FOUND" || planned == plan.actions.end()) continue;
    const auto* container = param_as<Selector>(*planned, "container");
    const NodeMatcher wanted = container ? wanted_by(*container) : NodeMatcher{};
    if (!first) first = {wanted, static_cast<std::size_t>(planned - plan.actions.begin())};
    if (find_data(step.data, "message")) continue;
    set_data(step.data, "message",
             container ? "no node matches the container " + describe(wanted)
                       : "no node on the screen can be scrolled");
  }
  return first;
}

std::string app_after(std::string app, std::span<const Action> steps) {
  for (const Action& step : steps) {
    switch (step.type()) {
      case ActionType::open_app: app = step.as<OpenApp>()->application_id.value_or(""); break;
      case ActionType::wait_for_navigation:
        app = step.as<WaitForNavigation>()->expected_package.value_or(app);
        break;
      case ActionType::open_uri:
      case ActionType::close_app:
      case ActionType::press_key: app.clear(); break;
      default: break;
    }
  }
  return app;
}

JsonObject describe_miss(const UiTree& screen, const NodeMatcher& wanted) {
  return describe_miss(screen, std::vector{wanted});
}

JsonObject describe_miss(const UiTree& screen, const std::vector<NodeMatcher>& wanted) {
  std::vector<std::string> lines;
  for (const NodeMatcher& each : wanted) {
    if (lines.size() >= kMostNear) break;
    for (const std::size_t node : near_matches(screen, each, kNearMatches)) {
      std::string line = screen.hash + describe(screen.nodes[node]);
      if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
    }
  }
  JsonObject miss;
  miss.text("foreground", main_package(screen));
  if (const UiNode* title = dialog_title(screen)) miss.text("dialog", label_of(*title));
  return miss.strings("near", lines);
}

Task<JsonObject> describe_miss_and_crash(const UiTree* screen, const NodeMatcher* wanted,
                                         std::string app_before, FindCrash find_crash) {
  CO_TRY(JsonObject miss, co_await run_blocking([&]() -> Result<JsonObject> {
           return describe_miss(*screen, *wanted);
         }));
  if (app_before.empty() || app_before == main_package(*screen)) co_return miss;
  miss.text("previous", app_before);
  const auto crash = co_await find_crash(std::move(app_before));
  if (crash && !crash->empty()) miss.object("crash", *crash);
  co_return miss;
}

std::optional<UiTree> tree_of(const StepResult& snapshot) {
  const std::string* xml = snapshot.success ? find_data(snapshot.data, "text") : nullptr;
  if (!xml) return std::nullopt;
  auto tree = parse_hierarchy(*xml);
  if (!tree) return std::nullopt;
  return *std::move(tree);
}

}  // namespace clawperator::act
