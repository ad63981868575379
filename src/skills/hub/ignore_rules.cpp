#include "skills/hub/ignore_rules.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace clawperator::hub {
namespace {

constexpr std::size_t kMaxLine = 1024;
constexpr std::size_t kMaxRules = 4096;

using Segments = std::vector<std::string_view>;

Segments segments_of(std::string_view path) {
  Segments segments;
  while (!path.empty()) {
    const auto end = path.find('/');
    if (end != 0) segments.push_back(path.substr(0, end));
    path.remove_prefix(end == path.npos ? path.size() : end + 1);
  }
  return segments;
}

struct ClassMatch {
  bool matches = false;
  std::size_t length = 0;  // of the class in the pattern; 0: it is none
};

// `[a-z]`, `[!x]` at the start of `pattern`.
ClassMatch match_class(std::string_view pattern, char c) {
  std::size_t at = 1;
  const bool negated = pattern.size() > at && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (const std::size_t first = at; at < pattern.size(); ++at) {
    if (pattern[at] == ']' && at > first) return {found != negated, at + 1};
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const char low = pattern[at];
    char high = low;
    if (at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']') {
      high = pattern[at + 2];
      at += 2;
    }
    found = found || (c >= low && c <= high);
  }
  return {};
}

// How many characters of the pattern stand for `c`; 0: none do.
std::size_t match_one(std::string_view pattern, char c) {
  if (pattern.front() == '?') return 1;
  if (pattern.front() == '[') {
    const ClassMatch found = match_class(pattern, c);
    if (found.length != 0) return found.matches ? found.length : 0;
  }
  const bool escaped = pattern.front() == '\\' && pattern.size() > 1;
  return pattern[escaped ? 1 : 0] == c ? (escaped ? 2 : 1) : 0;
}

// Both in lower case. A star that did not fit takes one character more.
bool matches_name(std::string_view pattern, std::string_view name) {
  std::size_t in_pattern = 0;
  std::size_t in_name = 0;
  std::optional<std::size_t> star;
  std::size_t star_name = 0;
  while (in_name < name.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = ++in_pattern;
      star_name = in_name;
      continue;
    }
    const std::size_t taken =
        in_pattern < pattern.size() ? match_one(pattern.substr(in_pattern), name[in_name]) : 0;
    if (taken > 0) {
      in_pattern += taken;
      ++in_name;
    } else if (star) {
      in_pattern = *star;
      in_name = ++star_name;
    } else {
      return false;
    }
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

// reached[i]: the pattern up to here matches the first i names.
bool matches_path(const std::vector<std::string>& pattern, const Segments& names) {
  std::vector<char> reached(names.size() + 1, 0);
  reached[0] = 1;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    std::vector<char> next(names.size() + 1, 0);
    const bool any_depth = pattern[at] == "**";
    // At the end it stands for what is inside, not for the folder itself.
    const bool is_inside = any_depth && at + 1 == pattern.size() && at > 0;
    bool before = false;
    for (std::size_t i = 0; i <= names.size(); ++i) {
      if (any_depth) {
        next[i] = static_cast<char>(before || (reached[i] != 0 && !is_inside));
        before = before || reached[i] != 0;
      } else if (i > 0) {
        next[i] = static_cast<char>(reached[i - 1] != 0 && matches_name(pattern[at], names[i - 1]));
      }
    }
    reached = std::move(next);
  }
  return reached[names.size()] != 0;
}

// Blanks at the end count for nothing unless there is a backslash before the last.
std::string_view without_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

void IgnoreRules::add(std::string_view text) {
  while (!text.empty() && rules_.size() < kMaxRules) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    add_line(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

void IgnoreRules::add_line(std::string_view line) {
  line = without_blanks(line);
  if (line.empty() || line.front() == '#' || line.size() > kMaxLine) return;
  Rule rule;
  rule.negated = line.front() == '!';
  if (rule.negated) line.remove_prefix(1);
  rule.folders_only = line.ends_with('/');
  if (rule.folders_only) line.remove_suffix(1);
  const bool anchored = line.contains('/');
  if (!anchored) rule.segments.emplace_back("**");
  for (const std::string_view segment : segments_of(line)) {
    rule.segments.push_back(ascii_lower(segment));
  }
  if (rule.segments.size() > (anchored ? 0U : 1U)) rules_.push_back(std::move(rule));
}

bool IgnoreRules::decides(std::string_view path, What what) const {
  const Segments names = segments_of(path);
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->folders_only && what == What::file) continue;
    if (matches_path(rule->segments, names)) return !rule->negated;
  }
  return false;
}

bool IgnoreRules::ignores(std::string_view path) const {
  const std::string lower = ascii_lower(path);
  for (auto slash = lower.find('/'); slash != lower.npos; slash = lower.find('/', slash + 1)) {
    if (decides(std::string_view(lower).substr(0, slash), What::folder)) return true;
  }
  return decides(lower, What::file);
}

}  // namespace clawperator::hub
