#include "runtime/ui/diff.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/rows.hpp"
#include "runtime/ui/tree_json.hpp"

namespace clawperator {
namespace {

// The place of each node: the path of child numbers from the root, as one number per node.
std::vector<std::size_t> places(const UiTree& tree) {
  std::vector<std::size_t> place(tree.nodes.size());
  std::size_t outermost = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].parent == kNoNode) place[i] = ++outermost;
    std::size_t ordinal = 0;
    for (const std::size_t child : tree.nodes[i].children)
      place[child] = place[i] * 0x9E3779B97F4A7C15U + ++ordinal;
  }
  return place;
}

bool is_same_kind(const UiNode& a, const UiNode& b) {
  return a.class_name == b.class_name && a.resource_id == b.resource_id;
}

bool has_same_texts(const UiNode& a, const UiNode& b) {
  return is_same_kind(a, b) && a.text == b.text && a.description == b.description;
}

bool differs(const UiNode& a, const UiNode& b) {
  return a.bounds != b.bounds || describe_unnamed(a) != describe_unnamed(b);
}

void note_shift(std::vector<RefShift>& shifts, int from, int to) {
  if (from == to) return;
  if (!shifts.empty()) {
    RefShift& last = shifts.back();
    if (from == last.from + last.count && to == last.to + last.count) {
      ++last.count;
      return;
    }
  }
  shifts.push_back({from, to, 1});
}

std::string ref_range(int first, int count) {
  const std::string from = ref_text(first);
  return count == 1 ? from : from + '-' + ref_text(first + count - 1);
}

// The rows of one screen, and for each of them the same row of the other screen.
struct RowSide {
  RowSide(const UiTree& of, const UiTree& other)
      : tree(of), place(places(of)), text(of, other), rows(rows_of(of)) {
    for (const Row& row : rows) {
      pieces.push_back(text.pieces(row));
      whole.push_back(joined(pieces.back(), "; "));
    }
    partner.assign(rows.size(), kNoRow);
  }

  static constexpr std::size_t kNoRow = kNoNode;

  [[nodiscard]] bool is_single(std::size_t row) const { return partner[row] == kNoRow; }

  const UiTree& tree;
  std::vector<std::size_t> place;
  RowText text;
  std::vector<Row> rows;
  std::vector<std::vector<std::string>> pieces;
  std::vector<std::string> whole;
  std::vector<std::size_t> partner;
};

void pair(RowSide& before, std::size_t row, RowSide& after, std::size_t now) {
  before.partner[row] = now;
  after.partner[now] = row;
}

// Rows whose text occurs once on each screen.
void pair_unique(RowSide& before, RowSide& after) {
  struct Found {
    std::size_t times = 0;
    std::size_t row = 0;
  };
  const auto count = [](const RowSide& side) {
    std::unordered_map<std::string_view, Found> found;
    for (std::size_t row = 0; row < side.rows.size(); ++row) {
      Found& one = found[side.whole[row]];
      ++one.times;
      one.row = row;
    }
    return found;
  };
  const auto old_rows = count(before);
  for (const auto& [text, now] : count(after)) {
    const auto old = old_rows.find(text);
    const bool is_unique = now.times == 1 && old != old_rows.end() && old->second.times == 1;
    if (is_unique) pair(before, old->second.row, after, now.row);
  }
}

// Equal rows between two neighbours that are paired, as many as before: the buttons of a toolbar.
void pair_between(RowSide& before, RowSide& after) {
  std::size_t begin = 0;
  while (begin < after.rows.size()) {
    std::size_t end = begin;
    while (end < after.rows.size() && after.is_single(end)) ++end;
    const std::size_t first = begin == 0 ? 0 : after.partner[begin - 1] + 1;
    const std::size_t last = end == after.rows.size() ? before.rows.size() : after.partner[end];
    bool are_same = end > begin && first + (end - begin) == last;
    for (std::size_t i = 0; are_same && i < end - begin; ++i) {
      are_same = before.is_single(first + i) && before.whole[first + i] == after.whole[begin + i];
    }
    for (std::size_t i = 0; are_same && i < end - begin; ++i) {
      pair(before, first + i, after, begin + i);
    }
    begin = end + 1;
  }
}

// The row that says what a row belongs to: in the smallest part of the screen that holds another
// row, the one before it, else the one behind it.
std::size_t companion(const RowSide& side, std::size_t row) {
  constexpr int kMostLevels = 8;  // a list item is not deeper; bounds the time
  const auto head_of = [&](std::size_t of) { return side.rows[of].head; };
  std::size_t around = head_of(row);
  for (int level = 0; level < kMostLevels && around != kNoNode; ++level) {
    const std::size_t end = end_of_subtree(side.tree, around);
    if (row > 0 && head_of(row - 1) >= around) return row - 1;
    if (row + 1 < side.rows.size() && head_of(row + 1) < end) return row + 1;
    around = side.tree.nodes[around].parent;
  }
  return RowSide::kNoRow;
}

// Equal rows whose companions are paired: of several "Delete" each belongs to the item beside it.
void pair_with_companions(RowSide& before, RowSide& after) {
  const auto try_to_pair = [&](std::size_t now) {
    const std::size_t beside = after.is_single(now) ? companion(after, now) : RowSide::kNoRow;
    const std::size_t old = beside == RowSide::kNoRow ? beside : after.partner[beside];
    if (old == RowSide::kNoRow) return;
    const std::size_t row = old + now - beside;  // wraps where there is none
    const bool is_same = row < before.rows.size() && before.is_single(row) &&
                         companion(before, row) == old && before.whole[row] == after.whole[now];
    if (is_same) pair(before, row, after, now);
  };
  for (std::size_t now = 0; now < after.rows.size(); ++now) try_to_pair(now);
  for (std::size_t now = after.rows.size(); now-- > 0;) try_to_pair(now);
}

void pair_equal(RowSide& before, RowSide& after) {
  pair_between(before, after);
  pair_with_companions(before, after);
}

// Empty: the row has no such key.
using RowKey = std::string (*)(const RowSide& side, std::size_t row);

std::string title(const RowSide& side, std::size_t row) {
  const UiNode& head = side.tree.nodes[side.rows[row].head];
  std::string name = side.text.title(side.rows[row]);
  return name.empty() ? name : head.class_name + '\0' + head.resource_id + '\0' + name;
}

// In a list another row takes the place when the list moves.
std::string fixed_place(const RowSide& side, std::size_t row) {
  const UiNode& head = side.tree.nodes[side.rows[row].head];
  for (auto up = head.parent; up != kNoNode; up = side.tree.nodes[up].parent) {
    if (side.tree.nodes[up].flags.scrollable && head.resource_id.empty()) return {};
  }
  return std::to_string(side.place[side.rows[row].head]) + head.class_name + '\0' +
         head.resource_id;
}

// Pairs the rows that are still single and have the same key, in document order. Equal rows stay
// single: no line would show which of them is meant.
void pair_changed(RowKey key_of, RowSide& before, RowSide& after) {
  struct Waiting {
    std::vector<std::size_t> rows;
    std::size_t next = 0;
  };
  std::unordered_map<std::string, Waiting> waiting;
  for (std::size_t row = 0; row < before.rows.size(); ++row) {
    if (before.is_single(row)) waiting[key_of(before, row)].rows.push_back(row);
  }
  waiting.erase("");
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (!after.is_single(row)) continue;
    const auto found = waiting.find(key_of(after, row));
    if (found == waiting.end() || found->second.next == found->second.rows.size()) continue;
    const std::size_t old = found->second.rows[found->second.next++];
    if (before.whole[old] != after.whole[row]) pair(before, old, after, row);
  }
}

void pair_rows(RowSide& before, RowSide& after) {
  pair_unique(before, after);
  pair_equal(before, after);
  pair_changed(title, before, after);
  pair_changed(fixed_place, before, after);
  pair_equal(before, after);
}

using IsSame = bool (*)(const UiNode& before, const UiNode& now);

// Pairs the parts of a row that are still single; `left`: those of the same row before.
void pair_parts(IsSame is_same, const UiTree& before, const UiTree& after, const Row& now,
                std::vector<std::size_t>& left, std::vector<std::size_t>& partner) {
  for (const std::size_t part : now.parts) {
    if (partner[part] != kNoNode) continue;
    const auto found = std::ranges::find_if(
        left, [&](std::size_t one) { return is_same(before.nodes[one], after.nodes[part]); });
    if (found == left.end()) continue;
    partner[part] = *found;
    left.erase(found);
  }
}

// For each node of the later screen the same node of the earlier one. In a paired row the parts
// with the same texts are the same, and then those of the same kind.
std::vector<std::size_t> paired_nodes(const RowSide& before, const RowSide& after) {
  std::vector<std::size_t> partner(after.tree.nodes.size(), kNoNode);
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (after.is_single(row)) continue;
    const Row& now = after.rows[row];
    const Row& old = before.rows[after.partner[row]];
    partner[now.head] = old.head;
    std::vector<std::size_t> left = old.parts;
    for (const IsSame is_same : {has_same_texts, is_same_kind}) {
      pair_parts(is_same, before.tree, after.tree, now, left, partner);
    }
  }
  return partner;
}

std::vector<std::size_t> nodes_of(const Row& row) {
  std::vector<std::size_t> nodes{row.head};
  nodes.insert(nodes.end(), row.parts.begin(), row.parts.end());
  return nodes;
}

// Of each of the row's nodes, whether the line has its ref.
std::vector<bool> named_places(const RowSide& side, const Row& row) {
  const auto named = side.text.named_nodes(row);
  std::vector<bool> places;
  for (const std::size_t node : nodes_of(row)) {
    places.push_back(std::ranges::binary_search(named, node));
  }
  return places;
}

// A row whose nodes stand as before moves as a whole, which makes long ranges. Of another row only
// the refs count that its line has; one with other controls shows them in its line.
std::vector<RefShift> moved_refs(const RowSide& before, const RowSide& after) {
  std::vector<RefShift> shifts;
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (after.is_single(row)) continue;
    const Row& old = before.rows[after.partner[row]];
    const Row& now = after.rows[row];
    const bool is_moved = named_places(before, old) == named_places(after, now);
    const auto from = is_moved ? nodes_of(old) : before.text.named_nodes(old);
    const auto to = is_moved ? nodes_of(now) : after.text.named_nodes(now);
    const std::size_t known = from.size() == to.size() ? to.size() : 1;
    for (std::size_t i = 0; i < known; ++i) {
      note_shift(shifts, before.tree.nodes[from[i]].ref, after.tree.nodes[to[i]].ref);
    }
  }
  return shifts;
}

// The words of a piece; a text in quotes is one.
std::vector<std::string> words_of(std::string_view piece) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] == ' ' && !is_quoted) {
      words.emplace_back();
      continue;
    }
    if (piece[i] == '"') is_quoted = !is_quoted;
    words.back() += piece[i];
    if (piece[i] == '\\' && i + 1 < piece.size()) words.back() += piece[++i];
  }
  return words;
}

// Those of `before` that are not in `after`.
std::vector<std::string> missing(std::vector<std::string> before,
                                 const std::vector<std::string>& after) {
  std::erase_if(
      before, [&](const std::string& one) { return std::ranges::find(after, one) != after.end(); });
  return before;
}

// What the row had that it has no more: of one piece only the words.
std::string was(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto gone = missing(before, after);
  const auto come = missing(after, before);
  const bool is_one = gone.size() == 1 && come.size() == 1;
  const std::string text =
      is_one ? joined(missing(words_of(gone.front()), words_of(come.front())), " ")
             : joined(gone, "; ");
  return text.empty() ? text : " was: " + text;
}

Json was_json(const UiNode& before, const UiNode& after) {
  Json json = Json::object();
  if (before.text != after.text) json["text"] = before.text;
  if (before.description != after.description) json["desc"] = before.description;
  if (before.hint != after.hint) json["hint"] = before.hint;
  if (before.bounds != after.bounds) json["bounds"] = bounds_json(before.bounds);
  if (before.flags != after.flags) json["flags"] = flags_json(before.flags);
  return json;
}

Json without_ref(Json node) {
  node.erase("ref");
  return node;
}

}  // namespace

TreeDiff compare(const UiTree& before_tree, const UiTree& after_tree) {
  RowSide before(before_tree, after_tree);
  RowSide after(after_tree, before_tree);
  pair_rows(before, after);
  const auto partner = paired_nodes(before, after);
  std::vector<bool> is_there(before_tree.nodes.size(), false);
  TreeDiff diff;
  for (const std::size_t i : after_tree.interesting) {
    const std::size_t old = partner[i];
    if (old == kNoNode) {
      diff.added.push_back(i);
      continue;
    }
    is_there[old] = true;
    if (differs(before_tree.nodes[old], after_tree.nodes[i])) diff.changed.push_back({old, i});
    note_shift(diff.shifted, before_tree.nodes[old].ref, after_tree.nodes[i].ref);
  }
  std::ranges::copy_if(before_tree.interesting, std::back_inserter(diff.removed),
                       [&](std::size_t i) { return !is_there[i]; });
  return diff;
}

std::string diff_text(const UiTree& before_tree, const UiTree& after_tree) {
  if (before_tree.hash == after_tree.hash) return "unchanged";
  RowSide before(before_tree, after_tree);
  RowSide after(after_tree, before_tree);
  pair_rows(before, after);
  // A row that lines leave out counts as one that is not there.
  const auto is_shown = [](const RowSide& side, std::size_t row) {
    return row != RowSide::kNoRow && !side.rows[row].is_echo;
  };
  std::string gone, come, changed;
  for (std::size_t row = 0; row < before.rows.size(); ++row) {
    if (!is_shown(before, row) || is_shown(after, before.partner[row])) continue;
    gone += "- " + before.text.short_line(before.rows[row]) + '\n';
  }
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (!is_shown(after, row)) continue;
    const std::size_t old = after.partner[row];
    const bool was_shown = is_shown(before, old);
    if (was_shown && after.whole[row] == before.whole[old]) continue;
    const std::string line = after.text.line(after.rows[row]);
    if (!was_shown) {
      come += "+ " + line + '\n';
    } else {
      changed += "~ " + line + was(before.pieces[old], after.pieces[row]) + '\n';
    }
  }
  const std::string header = describe_screen(after_tree);
  const bool is_alike =
      header == replaced(describe_screen(before_tree), before_tree.hash, after_tree.hash);
  std::string out = "since " + before_tree.hash;
  out += is_alike ? " hash " + after_tree.hash + '\n' : '\n' + header + '\n';
  out += gone + come + changed;
  for (const auto& shift : moved_refs(before, after)) {
    out += "= " + ref_range(shift.from, shift.count) + " now " + ref_range(shift.to, shift.count) +
           '\n';
  }
  return out;
}

std::string diff_json(const UiTree& before, const UiTree& after) {
  Json json;
  json["since"] = before.hash;
  json["hash"] = after.hash;
  json["unchanged"] = before.hash == after.hash;
  if (before.hash == after.hash) return dumped(json);
  const TreeDiff diff = compare(before, after);
  const std::string package = main_package(after);
  Json& added = json["added"] = Json::array();
  for (const std::size_t i : diff.added) added.push_back(node_json(after.nodes[i], 0, package));
  Json& removed = json["removed"] = Json::array();
  for (const std::size_t i : diff.removed)
    removed.push_back(without_ref(node_json(before.nodes[i], 0, package)));
  Json& changed = json["changed"] = Json::array();
  for (const auto& pair : diff.changed) {
    Json node = node_json(after.nodes[pair.after], 0, package);
    node["was"] = was_json(before.nodes[pair.before], after.nodes[pair.after]);
    changed.push_back(std::move(node));
  }
  Json& refs = json["refs"] = Json::array();
  for (const auto& shift : diff.shifted)
    refs.push_back(
        {{"from", ref_text(shift.from)}, {"to", ref_text(shift.to)}, {"count", shift.count}});
  return dumped(json);
}

}  // namespace clawperator
