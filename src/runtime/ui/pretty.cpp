#include "runtime/ui/pretty.hpp"

#include <vector>

#include "runtime/ui/describe.hpp"

namespace clawperator {
namespace {

// The drawn margin of every row, found from the last row upwards: a branch goes on at a depth as
// long as a later row hangs there.
std::vector<std::string> margins(const std::vector<OutlineRow>& rows) {
  std::vector<std::string> drawn(rows.size());
  std::vector<bool> goes_on;
  for (std::size_t i = rows.size(); i-- > 0;) {
    const auto depth = static_cast<std::size_t>(rows[i].depth);
    goes_on.resize(depth + 1, false);
    for (std::size_t d = 0; d < depth; ++d) drawn[i] += goes_on[d] ? "│  " : "   ";
    drawn[i] += goes_on[depth] ? "├─ " : "└─ ";
    goes_on[depth] = true;
  }
  return drawn;
}

}  // namespace

std::string to_pretty(const UiTree& tree) {
  const auto rows = outline(tree);
  const auto drawn = margins(rows);
  std::string out = describe_screen(tree) + '\n';
  for (std::size_t i = 0; i < rows.size(); ++i)
    out += drawn[i] + describe(tree.nodes[rows[i].node]) + '\n';
  return out;
}

}  // namespace clawperator
