#include "runtime/ui/matches.hpp"

#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {

void Matches::tell(JsonObject& json) const {
  json.number("matches", static_cast<std::int64_t>(count));
  if (!taken.empty()) json.text("taken", taken);
}

Matches matches_of(const UiTree& tree, const NodeMatcher& matcher) {
  const auto found = matching_nodes(tree, matcher);
  return {found.size(),
          found.empty() ? std::string() : describe_unnamed(tree.nodes[found.front()])};
}

}  // namespace clawperator
