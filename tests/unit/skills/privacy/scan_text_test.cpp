#include "skills/privacy/scan_text.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using namespace clawperator::privacy;

namespace {

// "CODE LINE:COLUMN message|text", a line for each fault.
std::string shown_faults(const report::Report& report) {
  std::string text;
  for (const auto& [file, fault] : report.faults) {
    text += std::string(fault.code->published) + " " + std::to_string(fault.place.line) + ":" +
            std::to_string(fault.place.column) + " " + fault.message + "|" + fault.found + "\n";
  }
  return text;
}

report::Report scanned(std::string_view text, std::string_view terms,
                       Binary binary = Binary::skipped) {
  const Terms read = Terms::read(terms).value();
  report::Report report{.counted = "files"};
  scan_text("a.md", text, &read, &report, binary);
  return report;
}

}  // namespace

TEST_CASE("scan_text: literals and terms with line and column", "[skills]") {
  const auto report = scanned(
      "Jane's \xc3\xbc jane, jo@mail.net\r\n"
      "nothing\n"
      "/home/jdoe jdoe",
      "jane\njdoe\n");
  CHECK(shown_faults(report) ==
        "PRIVACY_LITERAL_FOUND 1:16 an e-mail address|jo@mail.net\n"
        "PRIVACY_TERM_FOUND 1:1 a blocked term|Jane\n"
        "PRIVACY_TERM_FOUND 1:10 a blocked term|jane\n"
        "PRIVACY_LITERAL_FOUND 3:1 a home folder|/home/jdoe\n"
        "PRIVACY_TERM_FOUND 3:7 a blocked term|jdoe\n"
        "PRIVACY_TERM_FOUND 3:12 a blocked term|jdoe\n");
  CHECK(report.count == 1);
  report::Report plain{.counted = "files"};
  scan_text("a.md", "jane jo@mail.net", nullptr, &plain);
  CHECK(shown_faults(plain) == "PRIVACY_LITERAL_FOUND 1:6 an e-mail address|jo@mail.net\n");
}

TEST_CASE("scan_text: only a terminal's text has what was found", "[skills]") {
  const auto report = scanned("x jane", "jane");
  CHECK(report::to_text(report) ==
        "a.md:1:3: PRIVACY_TERM_FOUND: a blocked term\nfiles: 1, faults: 1\n");
  CHECK(report::to_text(report, report::Found::shown) ==
        "a.md:1:3: PRIVACY_TERM_FOUND: a blocked term: jane\nfiles: 1, faults: 1\n");
  CHECK_FALSE(report::to_json(report).contains("jane"));
  CHECK_FALSE(report::to_sarif(report, {}, "1").contains("jane"));
}

TEST_CASE("scan_text: a file's name begins no line of its own", "[skills]") {
  report::Report report{.counted = "files"};
  scan_text("a\nb", "jo@mail.net", nullptr, &report);
  CHECK(report::to_text(report) ==
        "a?b:1:1: PRIVACY_LITERAL_FOUND: an e-mail address\nfiles: 1, faults: 1\n");
}

TEST_CASE("scan_text: a binary file is counted as skipped", "[skills]") {
  using namespace std::string_view_literals;
  const auto text = "jane\0"sv;
  const auto report = scanned(text, "jane");
  CHECK(report.faults.empty());
  CHECK(report::to_json(report) ==
        R"({"valid":true,"files":0,"faults":[],"skipped":{"binary":1,"large":0}})");
  CHECK(report::to_text(report) == "files: 0, skipped binary: 1, faults: 0\n");
  CHECK(scanned(text, "jane", Binary::scanned).faults.size() == 1);
  const std::string late = std::string(8192, 'x') + '\0' + "jane";
  CHECK(scanned(late, "jane").faults.size() == 1);
  CHECK(scanned(late.substr(1), "jane").faults.empty());
}

TEST_CASE("scan_text: a long line has its columns in linear time, and faults are bounded",
          "[skills]") {
  std::string line;
  for (int i = 0; i < 300'000; ++i) line += "\xc3\xbcjo ";
  const auto report = scanned(line, "jo");
  REQUIRE(report.faults.size() == report::kMaxReported);
  CHECK(report.unlisted == 290'000);
  CHECK(report.faults.back().fault.place.column == 9999 * 4 + 2);
}
