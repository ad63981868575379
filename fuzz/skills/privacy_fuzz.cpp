// Input: a byte, the number of bytes that are the terms; the rest is the text. Invariants: the
// terms of each line are those that a naive search finds; literals do not overlap; faults have
// places in the text and their texts stand there; the reports for programs do not contain them.

#include <algorithm>

#include "base/text.hpp"
#include "skills/privacy/literals.hpp"
#include "skills/privacy/scan_text.hpp"
#include "unit/skills/privacy/naive_terms.hpp"
#include "wire/chunks.hpp"

using namespace clawperator;
using namespace clawperator::privacy;

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view word = trimmed(line);
    if (!word.empty() && word[0] != '#') words.push_back(folded_case(word));
  }
  return words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view terms_text = rest.substr(0, data[0]);
  const std::string_view text = rest.substr(terms_text.size());
  const auto terms = Terms::read(terms_text);
  fuzz::require(terms.has_value());  // 255 bytes break no limit
  const auto words = words_of(terms_text);
  std::size_t expected = 0;
  for (const std::string_view line : split(text, '\n')) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    terms->find(
        line, [&](std::size_t offset, std::size_t length) { found.emplace_back(offset, length); });
    const std::string folded = folded_case(line);
    fuzz::require(folded.size() == line.size());
    fuzz::require(found == naive_terms(words, folded));
    const auto literals = find_literals(line);
    expected += found.size() + literals.size();
    std::size_t end = 0;
    for (const Literal& each : literals) {
      fuzz::require(each.length > 0 && each.offset >= end);
      end = each.offset + each.length;
      fuzz::require(end <= line.size());
    }
  }
  report::Report report{.counted = "files"};
  scan_text("file", text, &*terms, &report, Binary::scanned);
  fuzz::require(report.faults.size() + report.unlisted == expected);
  const auto lines = split(text, '\n');
  for (const auto& [file, fault] : report.faults) {
    fuzz::require(fault.place.line <= lines.size());
    const std::string_view line = lines[fault.place.line - 1];
    fuzz::require(line.contains(fault.found) && fault.place.column <= line.size());
  }
  fuzz::require(report.faults.empty() == report::to_json(report).contains("\"valid\":true"));
  return 0;
}
