#pragma once
// The changes between two screens, for `snapshot --since`, row by row (rows.hpp).
//
//   since 1a2b3c4d5e6f hash 6f5e4d3c2b1a             in the same app; else a header line follows
//   - @7 "Loading"                                   gone; its ref was of the earlier screen
//   + @4 button "Retry" #retry                       new
//   ~ @2 "Wi-Fi" click; @3 switch on was: off            changed, and from what
//   = @3-@9 now @5-@11                               the same nodes under new refs
//
// Two rows are the same when their texts are and occur once on each screen. Of rows with equal
// texts those are the same that stand between, or beside, rows that are the same. Else rows with
// the same title are the same, and then rows in the same place (path, id, class) of a part that
// does not scroll; these have a line. A row that only moved has no line. Refs are those of the
// later screen, except in lines of rows that are gone.

#include "base/prelude.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct NodePair {
  std::size_t before = 0;  // indices of nodes
  std::size_t after = 0;
};

// `count` refs from `from` on are now the refs from `to` on.
struct RefShift {
  int from = 0;
  int to = 0;
  int count = 0;
};

struct TreeDiff {
  std::vector<std::size_t> added;
  std::vector<std::size_t> removed;
  std::vector<NodePair> changed;
  std::vector<RefShift> shifted;

  [[nodiscard]] bool empty() const {
    return added.empty() && removed.empty() && changed.empty() && shifted.empty();
  }
};

// A pair is in `changed` when its lines (ref apart) or bounds differ.
TreeDiff compare(const UiTree& before, const UiTree& after);

// "unchanged" when the hashes are equal.
std::string diff_text(const UiTree& before, const UiTree& after);

// {"since","hash","unchanged",["added":[node],"removed":[node],"changed":[{...node,"was":{..}}],
//  "refs":[{"from":"@3","to":"@5","count":7}]]}, nodes as in tree_json.hpp.
std::string diff_json(const UiTree& before, const UiTree& after);

}  // namespace clawperator
