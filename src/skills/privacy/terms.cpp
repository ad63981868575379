#include "skills/privacy/terms.hpp"

#include <wctype.h>

#include <algorithm>
#include <clocale>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::privacy {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Whatever locale the user has; without it only the letters of ASCII are folded.
locale_t unicode_letters() {
  static const locale_t kLocale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return kLocale;
}

// By the capital one, because Greek has two small letters for one capital.
char32_t small_letter(char32_t point) {
  const locale_t locale = unicode_letters();
  if (locale == nullptr) return point;
  return static_cast<char32_t>(::towlower_l(::towupper_l(point, locale), locale));
}

}  // namespace

std::string folded_case(std::string_view text) {
  // Of two to four bytes; RFC 3629.
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000, 0x110000};
  std::string folded = ascii_lower(text);
  for (std::size_t i = 0; i < folded.size();) {
    const bool is_ascii = static_cast<unsigned char>(folded[i]) < 0x80;
    const std::size_t length = is_ascii ? 1 : sequence_length(text.substr(i));
    if (length > 1) {
      char32_t small = small_letter(code_point(text.substr(i, length)));
      const bool is_as_long = small >= kLeast[length] && small < kLeast[length + 1];
      for (std::size_t byte = i + length - 1; is_as_long && byte > i; --byte, small >>= 6U) {
        folded[byte] = static_cast<char>(0x80U | (small & 0x3fU));
      }
      if (is_as_long) folded[i] = static_cast<char>((0xf00U >> length & 0xffU) | small);
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
