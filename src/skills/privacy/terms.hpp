#pragma once
// The terms that one user keeps out of shared files: ~/.clawperator/blocked-terms.txt.

#include "base/error.hpp"

namespace clawperator::privacy {

// Fifty thousand names fit.
inline constexpr std::size_t kMaxTermsFile = 1U << 20;
// No name or serial is longer; the automaton takes at most as many steps back.
inline constexpr std::size_t kMaxTerm = 1024;

// Small letters for capital ones, where both have as many bytes in UTF-8. No byte changes its
// place.
std::string folded_case(std::string_view text);

class Terms {
 public:
  // A literal on each line; blanks around it, blank lines and lines that begin with '#' are
  // nothing. privacy_terms_invalid.
  static Result<Terms> read(std::string_view text);

  [[nodiscard]] bool empty() const { return nodes_[0].length == 0 && nodes_.size() == 1; }

  // Calls `found(offset, length)` for each term in the line, by its end; of those that end
  // together for the longest. They do not overlap. Time is linear in the line, whatever the terms.
  void find(std::string_view line,
            const std::function<void(std::size_t offset, std::size_t length)>& found) const;

 private:
  // Of the Aho-Corasick automaton, in the order of a breadth-first walk: the children of a node are
  // neighbours, in the order of their bytes.
  struct Node {
    std::uint32_t first = 0;     // the first child
    std::uint32_t fail = 0;      // the longest other node that the text to this one ends with
    std::uint16_t children = 0;  // 256 at most
    std::uint16_t length = 0;    // of the longest term that ends here; 0: none does
    unsigned char byte = 0;
  };
  Terms() = default;
  [[nodiscard]] std::uint32_t next(std::uint32_t node, unsigned char byte) const;
  void build(std::span<const std::string> sorted);

  std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace clawperator::privacy
