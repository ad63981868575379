#pragma once
// The faults of several files, for a program, for a CI that reads SARIF, and for people.

#include "base/errc.hpp"
#include "base/error.hpp"
#include "base/text_place.hpp"

namespace clawperator::report {

struct Fault {
  Errc code = errc::unknown;
  TextPlace place{};
  std::string message{};
  std::string found{};  // the personal text; only a terminal shows it
};

struct FileFault {
  std::string file{};
  Fault fault{};
};

struct Report {
  std::string_view counted{};  // the name of what was read: "recipes"
  std::size_t count = 0;
  std::vector<FileFault> faults{};
  std::size_t unlisted = 0;  // further faults
  struct Skipped {           // files that were not read
    std::size_t binary = 0;
    std::size_t large = 0;
  };
  Skipped skipped{};
  bool has_commits = false;  // the files are "COMMIT:path"
};
// A report has at most this many: a folder may hold ten million.
inline constexpr std::size_t kMaxReported = 10'000;

void add_fault(const std::string& file, Fault fault, Report* report);
void add_faults(const std::string& file, std::vector<Fault> faults, Report* report);

// {"valid","<counted>","faults":[{"code","file","line","column","message"}]}; "unlisted" where
// there are further ones, "skipped":{"binary","large"} where files were not read.
std::string to_json(const Report& report);
// SARIF 2.1.0 with a rule for each code of the list.
std::string to_sarif(const Report& report, ErrorList rules, std::string_view program_version);
// FILE:LINE:COLUMN: CODE: message
enum class Found { hidden, shown };  // shown: for a terminal alone
std::string to_text(const Report& report, Found found = Found::hidden);

// The first of the faults as an error; its `details` has its place and all faults.
Error error_of(const std::string& file, std::span<const Fault> faults);

}  // namespace clawperator::report
