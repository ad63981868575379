#pragma once
// An example line as a shell would split it: quotes, and nothing from a redirection or pipe on.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clawperator::cli {

inline std::vector<std::string> example_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && (c == '>' || c == '<' || c == '|')) break;
    if (quote == 0 && c == ' ') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace clawperator::cli
