// Finds the node of an action, and the error of a strict one that has none or several.
#include <nlohmann/json.hpp>

#include "simdroid/operator/action_runner.hpp"
#include "simdroid/operator/node_json.hpp"

namespace simdroid {

std::string not_found(const Matcher& matcher) {
  return "No UI node found matching criteria: " + matcher.describe();
}

const View& ActionRunner::tree() const {
  if (tree_revision_ != c_.world->revision()) {
    tree_ = on_screen_only(c_.world->root(), c_.world->display());
    tree_revision_ = c_.world->revision();
  }
  return tree_;
}

// Older apps also search a text in its container, and have no other container for a node.
Attempt<std::vector<const View*>> ActionRunner::candidates(const DeviceAction& action) const {
  const View& root = tree();
  const bool scoped = c_.can->strict_matchers || action.kind == ActionKind::read_text;
  if (!scoped || !action.container.given()) return all_matches(root, action.matcher);
  const auto containers = all_matches(root, action.container);
  if (containers.empty()) {
    const std::string message = "No container found: " + action.container.describe();
    if (action.strict) return strict_failure("CONTAINER_NOT_FOUND", message, {});
    return give_up(message, "CONTAINER_NOT_FOUND");
  }
  if (action.strict && containers.size() > 1) {
    return strict_failure("CONTAINER_AMBIGUOUS", "Several containers match", containers);
  }
  const View* scope = containers.front();
  auto found = all_matches(root, action.matcher, scope);
  if (!c_.can->strict_matchers && action.matcher.matches(*scope, root)) {
    found.insert(found.begin(), scope);
  }
  return found;
}

Attempt<const View*> ActionRunner::locate(const DeviceAction& action) {
  const auto found = candidates(action);
  if (!found) return std::unexpected(found.error());
  receipt_.candidates = found->size();
  if (found->empty()) {
    if (action.strict) return strict_failure("NODE_NOT_FOUND", not_found(action.matcher), {});
    return give_up(not_found(action.matcher), "NODE_NOT_FOUND");
  }
  if (action.strict && found->size() > 1) {
    return strict_failure("NODE_AMBIGUOUS", "Several nodes match", *found);
  }
  aims_at(*found->front());
  return found->front();
}

std::unexpected<Failure> ActionRunner::strict_failure(const std::string& code, std::string message,
                                                      const std::vector<const View*>& found) const {
  constexpr std::size_t kMaxCandidates = 10;
  auto nodes = nlohmann::ordered_json::array();
  for (const View* view : found) {
    if (nodes.size() < kMaxCandidates) nodes.push_back(node_json(tree(), *view));
  }
  const nlohmann::ordered_json listed{{"totalMatches", found.size()},
                                      {"returnedCount", nodes.size()},
                                      {"truncated", found.size() > kMaxCandidates},
                                      {"nodes", nodes}};
  return std::unexpected(Failure{message,
                                 code,
                                 {{"errorCode", code},
                                  {"strict", "true"},
                                  {"message", message},
                                  {"candidate_count", std::to_string(found.size())},
                                  {"candidates", json_text(listed)}},
                                 true});
}

}  // namespace simdroid
