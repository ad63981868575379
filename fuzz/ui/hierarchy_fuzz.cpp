// Invariants: no input crashes; what parses is rendered completely, one line a row, and each ref is
// in one row; it compares as unchanged with itself; every ref leads back to its node, its matcher
// matches it, and what it was shown as is found as that node or, of twins at one place, not at all.

#include "runtime/ui/hierarchy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "runtime/ui/describe.hpp"
#include "runtime/ui/diff.hpp"
#include "runtime/ui/refs.hpp"
#include "runtime/ui/rows.hpp"
#include "runtime/ui/tree_json.hpp"

using namespace clawperator;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view xml(reinterpret_cast<const char*>(data), size);
  const auto tree = parse_hierarchy(xml);
  if (!tree) return 0;
  const std::size_t refs = tree->interesting.size();
  const auto rows = rows_of(*tree);
  std::size_t in_rows = 0;
  for (const Row& row : rows) in_rows += 1 + row.parts.size();
  require(in_rows == refs);
  require(line_count(to_compact(*tree)) == rows.size() + 1);
  require(line_count(to_pretty(*tree)) == rows.size() + 1);
  require(!to_json(*tree).empty());
  require(diff_text(*tree, *tree) == "unchanged" && compare(*tree, *tree).empty());
  for (std::size_t n = 1; n <= std::min<std::size_t>(refs, 50); ++n) {
    const auto node = resolve_ref(*tree, tree->hash + '@' + std::to_string(n));
    require(node && tree->nodes[*node].ref == static_cast<int>(n));
    for (const RefUse use : {RefUse::press, RefUse::text}) {
      const ShownNode shown = shown_node(*tree, *node, use);
      require(!shown.is_unique || matches(shown.matcher, tree->nodes[*node]));
      const auto found = find_shown(*tree, shown);
      require(found ? *found == *node : !shown.is_unique);
    }
  }

  // The same screen with its last node cut off: a diff of two trees.
  const std::size_t last = xml.rfind("<node");
  if (last == std::string_view::npos) return 0;
  const auto shorter = parse_hierarchy(std::string(xml.substr(0, last)) + "</hierarchy>");
  if (shorter) require(!diff_text(*shorter, *tree).empty() && !diff_json(*tree, *shorter).empty());
  return 0;
}
