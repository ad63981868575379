#include "runtime/ui/near_matches.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace clawperator {
namespace {

enum Nearness { nothing, holds, equal };

bool counts(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

// "Wi-Fi " and "wifi" are the same.
std::string folded(std::string_view text) {
  std::string letters;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (counts(c)) letters += c;
  }
  return letters;
}

// "com.example:id/name_field" is mostly known by what follows the slash.
std::string_view own_name(std::string_view id) {
  const std::size_t slash = id.rfind('/');
  return slash == id.npos ? id : id.substr(slash + 1);
}

Nearness compare(const std::string& wanted, std::string_view said) {
  constexpr std::size_t kTelling = 3;
  const std::string here = folded(said);
  if (wanted.empty() || here.empty()) return nothing;
  if (wanted == here) return equal;
  const bool is_part = here.find(wanted) != here.npos ||
                       (here.size() >= kTelling && wanted.find(here) != wanted.npos);
  return is_part ? holds : nothing;
}

std::vector<std::string> words_of(const NodeMatcher& wanted) {
  std::vector<std::string> words;
  for (const auto* field : {&wanted.text_equals, &wanted.text_contains, &wanted.description_equals,
                            &wanted.description_contains}) {
    if (*field) words.push_back(folded(**field));
  }
  if (wanted.resource_id) words.push_back(folded(own_name(*wanted.resource_id)));
  return words;
}

Nearness nearness(const UiNode& node, const std::vector<std::string>& words) {
  Nearness best = nothing;
  for (const std::string& word : words) {
    for (const std::string_view said :
         std::array<std::string_view, 3>{node.text, node.description, own_name(node.resource_id)}) {
      best = std::max(best, compare(word, said));
    }
  }
  return best;
}

}  // namespace

std::vector<std::size_t> near_matches(const UiTree& tree, const NodeMatcher& wanted,
                                      std::size_t most) {
  const std::vector<std::string> words = words_of(wanted);
  std::vector<std::size_t> nodes, further;
  for (const std::size_t node : tree.interesting) {
    const Nearness near = nearness(tree.nodes[node], words);
    if (near != nothing) (near == equal ? nodes : further).push_back(node);
  }
  nodes.insert(nodes.end(), further.begin(), further.end());
  nodes.resize(std::min(nodes.size(), most));
  return nodes;
}

}  // namespace clawperator
