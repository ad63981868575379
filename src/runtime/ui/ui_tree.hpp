#pragma once
// One observed screen: the hierarchy's nodes in document order, with their refs.
//
//   hierarchy                  nodes[0], nodes[1], ...   preorder, a parent before its children
//     node (LinearLayout)      parent == kNoNode         no ref: no text and no action
//     node (TextView)          ref 1                     "interesting": numbered from 1
//
// A tree is a value: parse_hierarchy() makes it, and it does not change afterwards.

#include <limits>

#include "base/prelude.hpp"

namespace clawperator {

inline constexpr std::size_t kNoNode = std::numeric_limits<std::size_t>::max();

struct Point {
  int x = 0;
  int y = 0;

  bool operator==(const Point&) const = default;
};

// Device pixels; right and bottom are exclusive.
struct Bounds {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  [[nodiscard]] Point centre() const;
  [[nodiscard]] bool is_empty() const { return right <= left || bottom <= top; }

  bool operator==(const Bounds&) const = default;
};

struct NodeFlags {
  bool checkable = false;
  bool checked = false;
  bool clickable = false;
  bool enabled = true;
  bool focusable = false;
  bool focused = false;
  bool scrollable = false;
  bool long_clickable = false;
  bool password = false;
  bool selected = false;
  bool editable = false;  // not an attribute: derived from the class

  bool operator==(const NodeFlags&) const = default;
};

struct NodeFlagName {
  std::string_view attribute;
  bool NodeFlags::* flag;
};

// The flags that are attributes of the XML, in its order.
std::span<const NodeFlagName> node_flag_names();

struct UiNode {
  std::size_t parent = kNoNode;
  std::vector<std::size_t> children;
  int depth = 0;  // 0 for a child of <hierarchy>
  int index = 0;  // the index attribute: its place among its siblings
  int ref = 0;    // n of @n, 0 when the node is not interesting
  std::string_view role;
  std::string class_name, resource_id, text, description, package;
  std::string hint;  // of uiautomator since Android 16: what an empty field shows
  NodeFlags flags;
  Bounds bounds;
};

// Has text or description, or can be clicked, long-clicked, scrolled, checked or edited.
bool is_interesting(const UiNode& node);

// An interesting node that can be acted on now.
bool is_actionable(const UiNode& node);

// In pixels.
struct ScreenSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  bool operator==(const ScreenSize&) const = default;
};

struct UiTree {
  int rotation = 0;
  // The size that the device reports, turned as the screen is; without one, the area of the
  // windows.
  ScreenSize screen{};
  // The part of the other windows that a keyboard covers, as far as that is known; empty: none.
  Bounds keyboard{};
  std::size_t keyboard_window = kNoNode;  // the node that it begins with, where the tree has it
  std::string hash;                       // 12 hex digits of everything above and below
  std::vector<UiNode> nodes;
  std::vector<std::size_t> interesting;  // interesting[n - 1] is the node of @n
};

// The node that the window of a node begins with.
std::size_t window_of(const UiTree& tree, std::size_t node);

// The package most nodes belong to; empty for an empty tree.
std::string main_package(const UiTree& tree);

// A number that depends on every attribute of every node and on nothing else.
std::string tree_hash(const UiTree& tree);
// Of a node and its descendants: their texts and bounds, not their states.
std::string appearance_hash(const UiTree& tree, std::size_t root);

}  // namespace clawperator
