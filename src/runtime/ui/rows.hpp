#pragma once
// What a person sees as one row, as one line:
//
//   @13 "Airplane mode" "Off when Bluetooth is used" click; @16 switch off
//
// A row begins with a node that is tapped, such as a list item. The texts in it follow, and then up
// to two controls in it, with refs of their own. Each other interesting node is a row of its own.

#include <set>

#include "base/prelude.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

struct Row {
  std::size_t head = 0;              // its node
  int depth = 0;                     // number of rows around it
  std::vector<std::size_t> parts{};  // the other nodes of its line, in document order
  // Its text is the label of the row around it, as a toolbar's title is: lines leave it out.
  bool is_echo = false;
};

// In document order. Each interesting node is in one of them.
std::vector<Row> rows_of(const UiTree& tree);

// The lines of one tree. An id that several of its nodes have is left out, and a point: a ref is
// there.
class RowText {
 public:
  explicit RowText(const UiTree& tree);
  // Of two screens that are compared: an id that is repeated on either is left out.
  RowText(const UiTree& tree, const UiTree& other);

  // With the refs of the head and of the controls.
  [[nodiscard]] std::string line(const Row& row) const;
  // The first text or description of the row; empty: it has none.
  [[nodiscard]] std::string title(const Row& row) const;
  // The nodes whose refs its line has: the head and the controls.
  [[nodiscard]] std::vector<std::size_t> named_nodes(const Row& row) const;
  // The head's ref and the title, for a row that is gone.
  [[nodiscard]] std::string short_line(const Row& row) const;
  // The line without refs, a piece for each of named_nodes: first the head with the texts.
  [[nodiscard]] std::vector<std::string> pieces(const Row& row) const;

 private:
  [[nodiscard]] std::string id_of(const UiNode& node) const;
  // `names`: texts of the row's own, which its parts do not repeat. `texts` stand behind the
  // node's.
  [[nodiscard]] std::string words(const UiNode& node, std::string_view role,
                                  const std::vector<std::string>& names,
                                  std::string_view texts) const;

  const UiTree* tree_;
  std::set<std::string_view> repeated_ids_;
};

}  // namespace clawperator
