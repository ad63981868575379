#include "runtime/ui/compact.hpp"

#include "runtime/ui/describe.hpp"

namespace clawperator {
namespace {

// Said once, where a subtree of another package begins.
std::string foreign_package(const UiTree& tree, const OutlineRow& row, const std::string& main) {
  const std::string& own = tree.nodes[row.node].package;
  const auto above = static_cast<std::size_t>(row.parent_ref);
  const std::string& around = above == 0 ? main : tree.nodes[tree.interesting[above - 1]].package;
  return own == around || own.empty() ? std::string() : " pkg " + quote(own);
}

}  // namespace

std::string to_compact(const UiTree& tree, std::string_view activity) {
  std::string out = describe_screen(tree);
  if (!activity.empty()) out += " activity " + quote(activity);
  out += '\n';
  const std::string main = main_package(tree);
  for (const auto& row : outline(tree)) {
    out.append(2 * static_cast<std::size_t>(row.depth), ' ');
    out += describe(tree.nodes[row.node]);
    out += foreign_package(tree, row, main);
    out += '\n';
  }
  return out;
}

}  // namespace clawperator
