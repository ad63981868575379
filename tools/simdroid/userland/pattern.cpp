#include "simdroid/userland/pattern.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace simdroid {
namespace {

std::vector<std::string_view> alternatives(std::string_view pattern) {
  std::vector<std::string_view> found;
  std::size_t start = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == '|') {
      found.push_back(pattern.substr(start, i - start));
      start = i + 1;
    }
  }
  found.push_back(pattern.substr(start));
  return found;
}

bool in_class(std::string_view name, unsigned char c) {
  if (name == "alpha") return std::isalpha(c) != 0;
  if (name == "digit") return std::isdigit(c) != 0;
  if (name == "alnum") return std::isalnum(c) != 0;
  if (name == "space") return std::isspace(c) != 0;
  if (name == "upper") return std::isupper(c) != 0;
  return name == "lower" && std::islower(c) != 0;
}

struct Bracket {
  std::size_t size = 0;  // of the whole expression in the pattern
  bool fits = false;
};

// "[...]" at the beginning of the pattern; nothing when it does not end.
std::optional<Bracket> read_bracket(std::string_view pattern, unsigned char c) {
  std::size_t at = 1;
  const bool negated = pattern.size() > 1 && pattern[1] == '!';
  if (negated) ++at;
  bool found = false;
  for (const std::size_t first = at; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at > first) return Bracket{at + 1, found != negated};
    if (pattern.substr(at).starts_with("[:")) {
      const std::size_t end = pattern.find(":]", at);
      if (end == std::string_view::npos) return std::nullopt;
      found |= in_class(pattern.substr(at + 2, end - at - 2), c);
      at = end + 1;
      continue;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const auto low = static_cast<unsigned char>(pattern[at]);
    auto high = low;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      at += 2;
      high = static_cast<unsigned char>(pattern[at]);
    }
    found |= low <= c && c <= high;
  }
  return std::nullopt;
}

class Matcher {
 public:
  bool any(std::string_view pattern, std::string_view text) {
    return std::ranges::any_of(alternatives(pattern),
                               [&](std::string_view each) { return one(each, text); });
  }

 private:
  // A pattern may need more time than any caller waits: then nothing matches.
  static constexpr int kMostSteps = 2'000'000;

  bool one(std::string_view pattern, std::string_view text) {
    while (!pattern.empty()) {
      if (++steps_ > kMostSteps) return false;
      const char c = pattern.front();
      if (c == '*') return star(pattern.substr(1), text);
      if (text.empty()) return false;
      std::size_t size = 1;
      if (c == '[') {
        const auto bracket = read_bracket(pattern, static_cast<unsigned char>(text.front()));
        if (bracket && !bracket->fits) return false;
        if (!bracket && text.front() != '[') return false;
        if (bracket) size = bracket->size;
      } else if (c == '\\' && pattern.size() > 1) {
        if (pattern[1] != text.front()) return false;
        size = 2;
      } else if (c != '?' && c != text.front()) {
        return false;
      }
      pattern.remove_prefix(size);
      text.remove_prefix(1);
    }
    return text.empty();
  }

  bool star(std::string_view rest, std::string_view text) {
    if (rest.empty()) return true;
    for (std::size_t size = 0; size <= text.size(); ++size) {
      if (one(rest, text.substr(size))) return true;
    }
    return false;
  }

  int steps_ = 0;
};

std::string escape(std::string_view text, std::string_view special) {
  std::string escaped;
  for (const char c : text) {
    if (special.contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  return Matcher().any(pattern, text);
}

std::string escape_pattern(std::string_view text) { return escape(text, "*?[]\\|"); }

std::string escape_alternatives(std::string_view text) { return escape(text, "|"); }

}  // namespace simdroid
