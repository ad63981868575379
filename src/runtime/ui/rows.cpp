#include "runtime/ui/rows.hpp"

#include <algorithm>
#include <map>

#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator {
namespace {

// A list item has a title, a summary, a few badges and a switch.
constexpr std::size_t kMostTexts = 8;
constexpr std::size_t kMostControls = 2;  // a switch, and a button for more

bool is_touched(const UiNode& node) {
  return node.flags.clickable || node.flags.long_clickable || node.flags.checkable;
}

// The interesting nodes below the one at `first` in `interesting`.
std::span<const std::size_t> interesting_below(const UiTree& tree, std::size_t first) {
  const auto begin = tree.interesting.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = std::lower_bound(begin, tree.interesting.end(), end_of_subtree(tree, *begin));
  return {begin + 1, end};
}

// A control in a row is a leaf: what it contains would be lost in the line.
bool fits_one_line(const UiTree& tree, std::span<const std::size_t> parts) {
  if (parts.empty() || parts.size() > kMostTexts + kMostControls) return false;
  std::size_t texts = 0;
  std::size_t controls = 0;
  for (const std::size_t part : parts) {
    const UiNode& node = tree.nodes[part];
    if (node.flags.scrollable || node.flags.editable) return false;
    const bool is_control = is_touched(node);
    if (is_control && !node.children.empty()) return false;
    ++(is_control ? controls : texts);
  }
  return texts >= 1 && texts <= kMostTexts && controls <= kMostControls;
}

// What is taller is a page or a dialog, where each line counts.
constexpr int kRowsOnScreen = 4;

bool may_head_a_row(const UiTree& tree, const UiNode& node) {
  const auto height = static_cast<std::int64_t>(node.bounds.bottom) - node.bounds.top;
  return is_touched(node) && !node.flags.scrollable && !node.flags.editable &&
         height * kRowsOnScreen <= static_cast<std::int64_t>(tree.screen.height);
}

bool repeats(const UiTree& tree, std::size_t text, std::size_t around) {
  const UiNode& node = tree.nodes[text];
  const NodeFlags& flags = node.flags;
  const bool is_plain = node.role == "text" && !is_touched(node) && !flags.scrollable &&
                        !flags.editable && !flags.focused && !flags.selected && flags.enabled;
  const bool has_own = !node.description.empty() && node.description != node.text;
  return is_plain && !has_own && !node.text.empty() && node.text == label_of(tree.nodes[around]);
}

// The role itself shows that it is tapped.
bool implies_click(std::string_view role) {
  constexpr std::array kTapped{std::string_view("button"),   std::string_view("switch"),
                               std::string_view("checkbox"), std::string_view("radio"),
                               std::string_view("tab"),      std::string_view("textfield")};
  return std::ranges::find(kTapped, role) != kTapped.end();
}

void append(std::string& line, std::string_view part) {
  if (part.empty()) return;
  if (!line.empty()) line += ' ';
  line += part;
}

}  // namespace

std::vector<Row> rows_of(const UiTree& tree) {
  std::vector<Row> rows;
  std::vector<int> depths(tree.nodes.size(), -1);  // of the row that a node heads
  for (std::size_t i = 0; i < tree.interesting.size(); ++i) {
    Row row{.head = tree.interesting[i]};
    const UiNode& head = tree.nodes[row.head];
    std::size_t above = head.parent;
    while (above != kNoNode && depths[above] < 0) above = tree.nodes[above].parent;
    row.depth = above == kNoNode ? 0 : depths[above] + 1;
    depths[row.head] = row.depth;
    row.is_echo =
        above != kNoNode && repeats(tree, row.head, above) && interesting_below(tree, i).empty();
    if (may_head_a_row(tree, head)) {
      const auto below = interesting_below(tree, i);
      if (fits_one_line(tree, below)) {
        row.parts.assign(below.begin(), below.end());
        i += below.size();
      }
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

RowText::RowText(const UiTree& tree) : RowText(tree, tree) {}

RowText::RowText(const UiTree& tree, const UiTree& other) : tree_(&tree) {
  for (const UiTree* each : {&tree, &other}) {
    std::map<std::string_view, int> counts;
    for (const std::size_t node : each->interesting) ++counts[each->nodes[node].resource_id];
    for (const auto& [id, count] : counts) {
      if (count > 1) repeated_ids_.insert(id);
    }
  }
}

std::string RowText::id_of(const UiNode& node) const {
  const bool is_repeated = repeated_ids_.contains(node.resource_id);
  return node.resource_id.empty() || is_repeated ? std::string() : '#' + short_id(node.resource_id);
}

std::string RowText::words(const UiNode& node, std::string_view role,
                           const std::vector<std::string>& names, std::string_view texts) const {
  std::string line(role == "text" ? std::string_view() : role);
  const auto add = [&](std::string_view label, const std::string& text) {
    if (text.empty() || std::ranges::find(names, text) != names.end()) return;
    append(line, label);
    append(line, quote(text));
  };
  add("", node.text);
  if (node.description != node.text) add("desc", node.description);
  add("hint", node.hint);
  append(line, texts);
  append(line, id_of(node));
  NodeFlags flags = node.flags;
  flags.clickable = flags.clickable && !implies_click(node.role);
  flags.long_clickable = flags.long_clickable && !node.flags.editable;  // as every field is
  append(line, flag_words(flags));
  return line;
}

std::vector<std::string> RowText::pieces(const Row& row) const {
  const UiNode& head = tree_->nodes[row.head];
  std::vector<std::string> names{head.text, head.description};
  std::string texts;
  for (const std::size_t part : row.parts) {
    const UiNode& node = tree_->nodes[part];
    if (!is_touched(node)) append(texts, words(node, node.role, names, {}));
  }
  names.push_back(title(row));
  const bool is_named = !texts.empty() || !head.text.empty() || !head.description.empty();
  const bool is_plain = head.role == "group" || head.role == "view";
  std::vector<std::string> all{words(head, is_named && is_plain ? "text" : head.role, {}, texts)};
  for (const std::size_t part : row.parts) {
    const UiNode& node = tree_->nodes[part];
    if (is_touched(node)) all.push_back(words(node, node.role, names, {}));
  }
  return all;
}

std::string RowText::title(const Row& row) const {
  const auto name_of = [&](std::size_t node) {
    const UiNode& one = tree_->nodes[node];
    return one.text.empty() ? one.description : one.text;
  };
  std::string name = name_of(row.head);
  for (std::size_t i = 0; i < row.parts.size() && name.empty(); ++i) name = name_of(row.parts[i]);
  return name;
}

std::vector<std::size_t> RowText::named_nodes(const Row& row) const {
  std::vector<std::size_t> nodes{row.head};
  std::ranges::copy_if(row.parts, std::back_inserter(nodes),
                       [&](std::size_t part) { return is_touched(tree_->nodes[part]); });
  return nodes;
}

std::string RowText::short_line(const Row& row) const {
  const std::string name = title(row);
  return '@' + std::to_string(tree_->nodes[row.head].ref) + ' ' +
         (name.empty() ? pieces(row).front() : quote(name));
}

std::string RowText::line(const Row& row) const {
  const auto named = named_nodes(row);
  const auto spelled = pieces(row);
  std::string line;
  for (std::size_t i = 0; i < named.size(); ++i) {
    line += (i == 0 ? "@" : "; @") + std::to_string(tree_->nodes[named[i]].ref);
    append(line, spelled[i]);
  }
  return line;
}

}  // namespace clawperator
