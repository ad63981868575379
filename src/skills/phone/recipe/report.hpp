#pragma once
// The faults of several recipes, for a program, for a CI that reads SARIF, and for people.

#include "skills/phone/recipe/fault.hpp"

namespace clawperator::recipe {

struct FileFault {
  std::string file{};
  Fault fault{};
};

struct Report {
  std::size_t recipes = 0;
  std::vector<FileFault> faults{};
  std::size_t unlisted = 0;  // further faults
};
// A report has at most this many: a folder may hold ten million.
inline constexpr std::size_t kMaxReported = 10'000;

void add_faults(const std::string& file, std::vector<Fault> faults, Report* report);

// {"valid","recipes","faults":[{"code","file","line","column","message"}]}; "unlisted" where there
// are further ones.
std::string report_json(const Report& report);
// SARIF 2.1.0 with a rule for each code of a recipe.
std::string report_sarif(const Report& report, std::string_view program_version);
// FILE:LINE:COLUMN: CODE: message
std::string report_text(const Report& report);

// The first of the faults as an error; its `details` has its place and all faults.
Error error_of(const std::string& file, std::span<const Fault> faults);

}  // namespace clawperator::recipe
