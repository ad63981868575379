#include "runtime/ui/diff.hpp"

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "runtime/ui/describe.hpp"
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

// One screen, and for each of its nodes the same node of the other screen.
struct Side {
  explicit Side(const UiTree& of)
      : tree(of), place(places(of)), partner(of.nodes.size(), kNoNode) {}

  const UiTree& tree;
  std::vector<std::size_t> place;
  std::vector<std::size_t> partner;
};

using KeyOf = std::function<std::string(const Side&, std::size_t)>;

std::string content_key(const Side& side, std::size_t index) {
  const UiNode& node = side.tree.nodes[index];
  std::string key;
  for (const auto* part : {&node.class_name, &node.resource_id, &node.text, &node.description})
    (key += *part) += '\0';
  return key;
}

std::string place_key(const Side& side, std::size_t index) {
  const UiNode& node = side.tree.nodes[index];
  return std::to_string(side.place[index]) + node.class_name + '\0' + node.resource_id;
}

// Pairs the nodes that are still single and have the same key, in document order.
void pair_by(const KeyOf& key_of, Side& before, Side& after) {
  struct Waiting {
    std::vector<std::size_t> nodes;
    std::size_t next = 0;
  };
  std::unordered_map<std::string, Waiting> waiting;
  for (const std::size_t i : before.tree.interesting)
    if (before.partner[i] == kNoNode) waiting[key_of(before, i)].nodes.push_back(i);
  for (const std::size_t i : after.tree.interesting) {
    if (after.partner[i] != kNoNode) continue;
    const auto found = waiting.find(key_of(after, i));
    if (found == waiting.end() || found->second.next == found->second.nodes.size()) continue;
    after.partner[i] = found->second.nodes[found->second.next++];
    before.partner[after.partner[i]] = i;
  }
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
    for (const Row& row : rows) pieces.push_back(text.pieces(row));
    partner.assign(rows.size(), kNoNode);
  }

  const UiTree& tree;
  std::vector<std::size_t> place;
  RowText text;
  std::vector<Row> rows;
  std::vector<std::vector<std::string>> pieces;
  std::vector<std::size_t> partner;
};

// Empty: the row has no such key.
using RowKey = std::string (*)(const RowSide& side, std::size_t row);

std::string whole_row(const RowSide& side, std::size_t row) {
  return joined(side.pieces[row], "; ");
}

std::string row_in_place(const RowSide& side, std::size_t row) {
  return std::to_string(side.place[side.rows[row].head]) + whole_row(side, row);
}

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

// Pairs the rows that are still single and have the same key, in document order.
void pair_rows(RowKey key_of, RowSide& before, RowSide& after) {
  std::unordered_map<std::string, std::deque<std::size_t>> waiting;
  for (std::size_t row = 0; row < before.rows.size(); ++row) {
    if (before.partner[row] == kNoNode) waiting[key_of(before, row)].push_back(row);
  }
  waiting.erase("");
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (after.partner[row] != kNoNode) continue;
    const auto found = waiting.find(key_of(after, row));
    if (found == waiting.end() || found->second.empty()) continue;
    after.partner[row] = found->second.front();
    before.partner[found->second.front()] = row;
    found->second.pop_front();
  }
}

std::vector<std::size_t> nodes_of(const Row& row) {
  std::vector<std::size_t> nodes{row.head};
  nodes.insert(nodes.end(), row.parts.begin(), row.parts.end());
  return nodes;
}

std::vector<RefShift> moved_refs(const RowSide& before, const RowSide& after) {
  std::vector<RefShift> shifts;
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    if (after.partner[row] == kNoNode) continue;
    const auto from = nodes_of(before.rows[after.partner[row]]);
    const auto to = nodes_of(after.rows[row]);
    if (from.size() != to.size()) continue;  // its line has its refs
    for (std::size_t i = 0; i < to.size(); ++i) {
      note_shift(shifts, before.tree.nodes[from[i]].ref, after.tree.nodes[to[i]].ref);
    }
  }
  return shifts;
}

// What the row had that it has no more.
std::string was(std::vector<std::string> before, const std::vector<std::string>& after) {
  std::erase_if(before, [&](const std::string& piece) {
    return std::ranges::find(after, piece) != after.end();
  });
  return before.empty() ? std::string() : " was: " + joined(before, "; ");
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
  Side before(before_tree);
  Side after(after_tree);
  pair_by([](const Side& side, std::size_t i) { return content_key(side, i) + place_key(side, i); },
          before, after);
  pair_by(content_key, before, after);
  pair_by(place_key, before, after);

  TreeDiff diff;
  for (const std::size_t i : before_tree.interesting)
    if (before.partner[i] == kNoNode) diff.removed.push_back(i);
  for (const std::size_t i : after_tree.interesting) {
    if (after.partner[i] == kNoNode) {
      diff.added.push_back(i);
      continue;
    }
    const UiNode& old_node = before_tree.nodes[after.partner[i]];
    if (differs(old_node, after_tree.nodes[i])) diff.changed.push_back({after.partner[i], i});
    note_shift(diff.shifted, old_node.ref, after_tree.nodes[i].ref);
  }
  return diff;
}

std::string diff_text(const UiTree& before_tree, const UiTree& after_tree) {
  if (before_tree.hash == after_tree.hash) return "unchanged";
  RowSide before(before_tree, after_tree);
  RowSide after(after_tree, before_tree);
  for (const RowKey key : {row_in_place, whole_row, title, fixed_place}) {
    pair_rows(key, before, after);
  }
  std::string gone, come, changed;
  for (std::size_t row = 0; row < before.rows.size(); ++row) {
    if (before.partner[row] != kNoNode) continue;
    gone += "- " + before.text.short_line(before.rows[row]) + '\n';
  }
  for (std::size_t row = 0; row < after.rows.size(); ++row) {
    const std::string line = after.text.line(after.rows[row]);
    if (after.partner[row] == kNoNode) {
      come += "+ " + line + '\n';
      continue;
    }
    const auto& old_pieces = before.pieces[after.partner[row]];
    if (after.pieces[row] == old_pieces) continue;
    changed += "~ " + line + was(old_pieces, after.pieces[row]) + '\n';
  }
  std::string out = "since " + before_tree.hash + '\n' + describe_screen(after_tree) + '\n';
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
