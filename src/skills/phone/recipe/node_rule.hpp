#pragma once
// A recipe's selector with its texts filled in: what a node must be. `recipe run` finds such nodes
// on a snapshot, because the app's matcher has no field for some of them.

#include "runtime/contract/selector.hpp"

namespace clawperator::recipe {

struct NodeRule {
  NodeMatcher texts{};
  std::optional<std::string> class_name{};
  std::optional<bool> clickable{}, enabled{}, selected{};
  std::optional<int> index_in_parent{};
  std::vector<NodeRule> any_of{};  // one of them fits; empty: no condition
  std::vector<NodeRule> all_of{};  // each of them fits
};

}  // namespace clawperator::recipe
