#include "skills/privacy/terms.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::privacy {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_within(char32_t point, char32_t first, char32_t last) {
  return point >= first && point <= last;
}

// Of a letter between U+0080 and U+07FF, where the small one is there, too.
char32_t small_letter(char32_t point) {
  if (is_within(point, 0xc0, 0xde) && point != 0xd7) return point + 0x20;
  if (is_within(point, 0x391, 0x3a9) || is_within(point, 0x410, 0x42f)) return point + 0x20;
  if (is_within(point, 0x400, 0x40f)) return point + 0x50;
  if (point == 0x130 || point == 0x138) return point;
  // Pairs: the capital letter is even, or odd.
  if (is_within(point, 0x100, 0x137) || is_within(point, 0x14a, 0x177)) return point | 1U;
  if (is_within(point, 0x139, 0x148) || is_within(point, 0x179, 0x17e)) return point + (point & 1U);
  return point;
}

}  // namespace

std::string folded_case(std::string_view text) {
  std::string folded = ascii_lower(text);
  for (std::size_t i = 0; i + 1 < folded.size(); ++i) {
    const auto lead = static_cast<unsigned char>(folded[i]);
    if (lead < 0xc2 || lead > 0xdf || sequence_length(text.substr(i)) != 2) continue;
    const char32_t small = small_letter(code_point(text.substr(i, 2)));
    folded[i] = static_cast<char>(0xc0U | small >> 6U);
    folded[i + 1] = static_cast<char>(0x80U | (small & 0x3fU));
    ++i;
  }
  return folded;
}

Result<Terms> Terms::read(std::string_view text) {
  if (text.size() > kMaxTermsFile) {
    return fail(errc::privacy_terms_invalid,
                "the blocked terms are larger than 1 MiB: remove some of them");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<std::string> terms;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view term = trimmed(line);
    if (term.empty() || term.starts_with('#')) continue;
    if (term.size() > kMaxTerm) {
      return fail(errc::privacy_terms_invalid, "line " + std::to_string(number) +
                                                   " of the blocked terms is longer than 1 KiB: "
                                                   "write a shorter term");
    }
    terms.push_back(folded_case(term));
  }
  std::ranges::sort(terms);
  Terms made;
  made.build(terms);
  return made;
}

void Terms::build(std::span<const std::string> sorted) {
  struct Range {  // of the terms below a node, and its depth
    std::size_t begin, end, depth;
  };
  std::vector<Range> ranges{{0, sorted.size(), 0}};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    auto [begin, end, depth] = ranges[i];
    const std::uint32_t fail = nodes_[i].fail;
    const bool is_term = begin < end && sorted[begin].size() == depth;
    nodes_[i].length = is_term ? static_cast<std::uint16_t>(depth) : nodes_[fail].length;
    nodes_[i].first = static_cast<std::uint32_t>(nodes_.size());
    while (begin < end && sorted[begin].size() == depth) ++begin;  // repeated ones
    while (begin < end) {
      const std::size_t start = begin;
      const char c = sorted[start][depth];
      while (begin < end && sorted[begin][depth] == c) ++begin;
      const auto byte = static_cast<unsigned char>(c);
      nodes_.push_back({.fail = i == 0 ? 0 : next(fail, byte), .byte = byte});
      ranges.push_back({start, begin, depth + 1});
      ++nodes_[i].children;
    }
  }
}

std::uint32_t Terms::next(std::uint32_t node, unsigned char byte) const {
  for (;; node = nodes_[node].fail) {
    const auto children = std::span(nodes_).subspan(nodes_[node].first, nodes_[node].children);
    const auto child = std::ranges::lower_bound(children, byte, {}, &Node::byte);
    if (child != children.end() && child->byte == byte) {
      return static_cast<std::uint32_t>(&*child - nodes_.data());
    }
    if (node == 0) return 0;
  }
}

void Terms::find(std::string_view line,
                 const std::function<void(std::size_t offset, std::size_t length)>& found) const {
  if (empty()) return;
  const std::string folded = folded_case(line);
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < folded.size(); ++i) {
    node = next(node, static_cast<unsigned char>(folded[i]));
    const std::size_t length = nodes_[node].length;
    if (length == 0) continue;
    found(i + 1 - length, length);
    node = 0;
  }
}

}  // namespace clawperator::privacy
