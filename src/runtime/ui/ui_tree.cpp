#include "runtime/ui/ui_tree.hpp"

#include <algorithm>
#include <map>

namespace clawperator {
namespace {

constexpr std::array<NodeFlagName, 10> kFlagNames{{
    {"checkable", &NodeFlags::checkable},
    {"checked", &NodeFlags::checked},
    {"clickable", &NodeFlags::clickable},
    {"enabled", &NodeFlags::enabled},
    {"focusable", &NodeFlags::focusable},
    {"focused", &NodeFlags::focused},
    {"scrollable", &NodeFlags::scrollable},
    {"long-clickable", &NodeFlags::long_clickable},
    {"password", &NodeFlags::password},
    {"selected", &NodeFlags::selected},
}};

// FNV-1a, 64 bits.
class ContentHash {
 public:
  void add(std::string_view text) {
    add_number(text.size());  // so that ("ab","c") and ("a","bc") differ
    for (const char c : text) mix(static_cast<unsigned char>(c));
  }

  void add_number(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(value >> shift));
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3U; }

  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void add_appearance(ContentHash& hash, const UiNode& node) {
  for (const int number :
       {node.bounds.left, node.bounds.top, node.bounds.right, node.bounds.bottom})
    hash.add_number(static_cast<std::uint64_t>(number));
  for (const auto* text :
       {&node.class_name, &node.resource_id, &node.text, &node.description, &node.package})
    hash.add(*text);
  if (!node.hint.empty()) hash.add(node.hint);  // hashes of trees without hints stay as they are
}

void add_node(ContentHash& hash, const UiNode& node) {
  hash.add_number(static_cast<std::uint64_t>(node.depth));
  hash.add_number(static_cast<std::uint64_t>(node.index));
  add_appearance(hash, node);
  std::uint64_t bits = 0;
  for (const auto& name : kFlagNames) bits = bits << 1 | std::uint64_t{node.flags.*name.flag};
  hash.add_number(bits);
}

std::string hex_of(const ContentHash& hash) {
  std::string hex(12, '0');
  for (std::size_t i = 0; i < hex.size(); ++i)
    hex[i] = "0123456789abcdef"[hash.value() >> (60 - 4 * i) & 0xf];
  return hex;
}

bool takes_action(const NodeFlags& flags) {
  return flags.clickable || flags.long_clickable || flags.scrollable || flags.checkable ||
         flags.editable;
}

}  // namespace

Point Bounds::centre() const {
  const auto middle = [](int a, int b) { return static_cast<int>((std::int64_t{a} + b) / 2); };
  return {middle(left, right), middle(top, bottom)};
}

std::span<const NodeFlagName> node_flag_names() { return kFlagNames; }

bool is_interesting(const UiNode& node) {
  return !node.text.empty() || !node.description.empty() || !node.hint.empty() ||
         takes_action(node.flags);
}

bool is_actionable(const UiNode& node) { return node.flags.enabled && takes_action(node.flags); }

std::size_t window_of(const UiTree& tree, std::size_t node) {
  while (tree.nodes[node].parent != kNoNode) node = tree.nodes[node].parent;
  return node;
}

std::string main_package(const UiTree& tree) {
  std::map<std::string_view, std::size_t> counts;
  for (const auto& node : tree.nodes) ++counts[node.package];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
  return most == counts.end() ? std::string() : std::string(most->first);
}

std::string tree_hash(const UiTree& tree) {
  ContentHash hash;
  hash.add_number(static_cast<std::uint64_t>(tree.rotation));
  for (const auto& node : tree.nodes) add_node(hash, node);
  return hex_of(hash);
}

std::string appearance_hash(const UiTree& tree, std::size_t root) {
  ContentHash hash;
  const int depth = tree.nodes[root].depth;
  for (std::size_t i = root; i < tree.nodes.size(); ++i) {
    if (i > root && tree.nodes[i].depth <= depth) break;
    hash.add_number(static_cast<std::uint64_t>(tree.nodes[i].depth - depth));
    add_appearance(hash, tree.nodes[i]);
  }
  return hex_of(hash);
}

}  // namespace clawperator
