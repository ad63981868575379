#include "skills/privacy/scan_text.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "skills/privacy/errc.hpp"
#include "skills/privacy/literals.hpp"

namespace clawperator::privacy {
namespace {

// The faults of one line, each kind from the left to the right.
class LineScan {
 public:
  LineScan(const std::string& file, std::size_t number, std::string_view line,
           report::Report* report)
      : file_(file), number_(number), line_(line), report_(report) {}

  void add(Errc code, std::size_t offset, std::size_t length, std::string_view what) {
    // Counted from the last one, so that a long line is read once. A term may begin within it.
    if (offset < counted_) column_ = counted_ = 0;
    column_ += character_count(line_.substr(counted_, offset - counted_));
    counted_ = offset;
    add_fault(file_,
              {code,
               {number_, column_ + 1},
               std::string(what),
               std::string(line_.substr(offset, length))},
              report_);
  }

 private:
  const std::string& file_;
  std::size_t number_;
  std::string_view line_;
  report::Report* report_;
  std::size_t counted_ = 0;
  std::size_t column_ = 0;
};

}  // namespace

bool is_binary(std::string_view text) {
  constexpr std::size_t kBeginning = 8192;
  return text.substr(0, kBeginning).contains('\0');
}

void scan_line(const std::string& file, std::size_t number, std::string_view line,
               const Terms* terms, report::Report* report) {
  LineScan scan(file, number, line, report);
  for (const Literal& each : find_literals(line)) {
    scan.add(errc::privacy_literal_found, each.offset, each.length, shown(each.kind));
  }
  if (terms == nullptr) return;
  terms->find(line, [&scan](std::size_t offset, std::size_t length) {
    scan.add(errc::privacy_term_found, offset, length, "a blocked term");
  });
}

void scan_text(const std::string& file, std::string_view text, const Terms* terms,
               report::Report* report, Binary binary) {
  if (binary == Binary::skipped && is_binary(text)) {
    ++report->skipped.binary;
    return;
  }
  ++report->count;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    scan_line(file, ++number, text.substr(begin, end - begin), terms, report);
    begin = end + 1;
  }
}

}  // namespace clawperator::privacy
