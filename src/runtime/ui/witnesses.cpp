#include "runtime/ui/witnesses.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.hpp"
#include "runtime/ui/find.hpp"
#include "runtime/ui/visible.hpp"

namespace clawperator {
namespace {

// More than half must be there again, so three of eight may change.
constexpr std::size_t kMost = 8;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

// False for a clock or a percentage. In a window that fills the screen a number is mostly a count;
// in a dialog it may be the subject.
bool lasts(std::string_view text, bool fills_screen) {
  constexpr int kFewestLetters = 3;
  return std::ranges::count_if(text, is_letter) >= kFewestLetters &&
         !(fills_screen && std::ranges::any_of(text, base::is_digit));
}

bool can_be_used(const UiNode& node) {
  return node.flags.clickable || node.flags.long_clickable || node.flags.checkable;
}

struct Candidate {
  std::size_t node = kNoNode;
  std::size_t common = kNoNode;  // the nearest node around both
  int depth = 0;                 // of that one
  std::size_t length = 0;
};

// The nodes of one window beside one of them.
class Window {
 public:
  Window(const UiTree& tree, std::size_t node)
      : tree_(tree),
        node_(node),
        root_(window_of(tree, node)),
        common_(tree.nodes.size(), kNoNode) {
    for (std::size_t at = node; at != kNoNode; at = tree.nodes[at].parent) common_[at] = at;
    const Bounds& own = tree.nodes[root_].bounds;
    fills_screen_ = own.right - std::int64_t{own.left} >= tree.screen.width ||
                    own.bottom - std::int64_t{own.top} >= tree.screen.height;
  }

  // The nodes without an action, if there are any.
  [[nodiscard]] std::vector<Candidate> candidates();
  // The id of the nearest node around both that occurs once with such a text inside.
  [[nodiscard]] std::string container_of(const Candidate& found, const NodeMatcher& text) const;

 private:
  [[nodiscard]] bool may_witness(std::size_t node) const;

  const UiTree& tree_;
  std::size_t node_, root_;
  std::vector<std::size_t> common_;
  bool fills_screen_ = false;
};

bool Window::may_witness(std::size_t node) const {
  const UiNode& one = tree_.nodes[node];
  return is_usable(label_of(one)) && !one.flags.editable && !one.flags.password &&
         lasts(label_of(one), fills_screen_) && visible_part(tree_, node);
}

std::vector<Candidate> Window::candidates() {
  std::vector<Candidate> still, usable;
  std::vector<bool> left_out(tree_.nodes.size());
  for (std::size_t i = root_ + 1; i < tree_.nodes.size(); ++i) {
    const std::size_t parent = tree_.nodes[i].parent;
    if (parent == kNoNode) break;
    left_out[i] = i == node_ || left_out[parent] || tree_.nodes[parent].flags.scrollable;
    const bool is_around = common_[i] == i;
    if (!is_around) common_[i] = common_[parent];
    if (left_out[i] || is_around || !may_witness(i)) continue;
    auto& kind = can_be_used(tree_.nodes[i]) ? usable : still;
    kind.push_back({i, common_[i], tree_.nodes[common_[i]].depth, label_of(tree_.nodes[i]).size()});
  }
  return still.empty() ? usable : still;
}

std::string Window::container_of(const Candidate& found, const NodeMatcher& text) const {
  std::vector<bool> is_around(tree_.nodes.size());
  std::map<std::string_view, int> count;
  for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
    if (!matches(text, tree_.nodes[i])) continue;
    for (std::size_t at = tree_.nodes[i].parent; at != kNoNode && !is_around[at];
         at = tree_.nodes[at].parent) {
      is_around[at] = true;
      ++count[tree_.nodes[at].resource_id];
    }
  }
  for (std::size_t at = found.common; at != kNoNode; at = tree_.nodes[at].parent) {
    const std::string& id = tree_.nodes[at].resource_id;
    if (is_usable(id) && count[id] == 1) return id;
  }
  return {};
}

NodeMatcher text_of(const UiNode& node) {
  NodeMatcher text{.text_equals = label_of(node)};
  if (is_usable(node.resource_id)) text.resource_id = node.resource_id;
  return text;
}

}  // namespace

Witnesses witnesses_of(const UiTree& tree, std::size_t node) {
  Window window(tree, node);
  std::vector<Candidate> found = window.candidates();
  const std::size_t count = std::min(found.size(), kMost);
  std::ranges::partial_sort(
      found, found.begin() + static_cast<std::ptrdiff_t>(count), {},
      [](const Candidate& one) { return std::tuple(one.depth, ~one.length, one.node); });
  Witnesses witnesses;
  for (const Candidate& one : std::span(found).first(count)) {
    witnesses.texts.push_back(text_of(tree.nodes[one.node]));
    if (!witnesses.container_id.empty()) continue;
    witnesses.container_id = window.container_of(one, witnesses.texts.back());
    if (!witnesses.container_id.empty()) std::swap(witnesses.texts.front(), witnesses.texts.back());
  }
  return witnesses;
}

bool has_most(const UiTree& tree, std::size_t node, const Witnesses& witnesses) {
  const std::size_t window = window_of(tree, node);
  const auto there = std::ranges::count_if(witnesses.texts, [&](const NodeMatcher& text) {
    return find_node(tree, text, window).has_value();
  });
  return witnesses.texts.empty() || 2 * there > std::ssize(witnesses.texts);
}

}  // namespace clawperator
