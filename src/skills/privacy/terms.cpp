#include "skills/privacy/terms.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::privacy {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Letters whose small one has as many bytes.
struct CapitalLetters {
  char32_t first, last;
  int to_small;
  unsigned step;  // 2: capital and small letters alternate
};
// Of living languages, in their order (Unicode 15).
constexpr auto kCapitalLetters = std::to_array<CapitalLetters>({
    {0xc0, 0xd6, 32, 1},    {0xd8, 0xde, 32, 1},   {0x100, 0x12e, 1, 2},    {0x132, 0x136, 1, 2},
    {0x139, 0x147, 1, 2},   {0x14a, 0x176, 1, 2},  {0x178, 0x178, -121, 1}, {0x179, 0x17d, 1, 2},
    {0x18f, 0x18f, 202, 1}, {0x1a0, 0x1a0, 1, 1},  {0x1af, 0x1af, 1, 1},    {0x1cd, 0x1db, 1, 2},
    {0x1de, 0x1ee, 1, 2},   {0x1f8, 0x21e, 1, 2},  {0x222, 0x232, 1, 2},    {0x386, 0x386, 38, 1},
    {0x388, 0x38a, 37, 1},  {0x38c, 0x38c, 64, 1}, {0x38e, 0x38f, 63, 1},   {0x391, 0x3a1, 32, 1},
    {0x3a3, 0x3ab, 32, 1},  {0x3c2, 0x3c2, 1, 1},  // the other small sigma
    {0x400, 0x40f, 80, 1},  {0x410, 0x42f, 32, 1}, {0x460, 0x480, 1, 2},    {0x48a, 0x4be, 1, 2},
    {0x4c1, 0x4cd, 1, 2},   {0x4d0, 0x52e, 1, 2},  {0x531, 0x556, 48, 1},   {0x1e00, 0x1e94, 1, 2},
    {0x1ea0, 0x1efe, 1, 2},
});

char32_t small_letter(char32_t point) {
  const auto* range = std::ranges::lower_bound(kCapitalLetters, point, {}, &CapitalLetters::last);
  if (range == kCapitalLetters.end() || point < range->first) return point;
  if ((point - range->first) % range->step != 0) return point;
  return static_cast<char32_t>(static_cast<std::int32_t>(point) + range->to_small);
}

}  // namespace

std::string folded_case(std::string_view text) {
  std::string folded = ascii_lower(text);
  for (std::size_t i = 0; i < folded.size();) {
    const bool is_ascii = static_cast<unsigned char>(folded[i]) < 0x80;
    const std::size_t length = is_ascii ? 1 : sequence_length(text.substr(i));
    if (length == 2 || length == 3) {
      char32_t small = small_letter(code_point(text.substr(i, length)));
      for (std::size_t byte = i + length - 1; byte > i; --byte, small >>= 6U) {
        folded[byte] = static_cast<char>(0x80U | (small & 0x3fU));
      }
      folded[i] = static_cast<char>((length == 2 ? 0xc0U : 0xe0U) | small);
    }
    i += std::max<std::size_t>(length, 1);
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
