#pragma once
// What Terms::find must find, by comparing each term at each place.

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clawperator::privacy {

// `terms` and `line` are folded. Offset and length.
inline std::vector<std::pair<std::size_t, std::size_t>> naive_terms(
    const std::vector<std::string>& terms, std::string_view line) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  std::size_t begin = 0;
  for (std::size_t end = 1; end <= line.size(); ++end) {
    std::size_t longest = 0;
    for (const std::string& term : terms) {
      if (line.substr(begin, end - begin).ends_with(term)) longest = std::max(longest, term.size());
    }
    if (longest == 0) continue;
    found.emplace_back(end - longest, longest);
    begin = end;
  }
  return found;
}

}  // namespace clawperator::privacy
