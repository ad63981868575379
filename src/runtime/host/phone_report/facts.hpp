#pragma once
// docs/internals/android.md as data: each statement that a report can prove or refute, by the id
// that it has there. Pure: the same report, the same verdicts.

#include "runtime/host/phone_report/answers.hpp"

namespace clawperator {

enum class Verdict {
  holds,
  differs,
  open,           // its question has no answer that decides it, or the release is unknown
  other_release,  // the statement is not about this phone's release
};
std::string_view verdict_name(Verdict verdict);  // "other release"

struct Finding {
  std::string_view id;         // "input.service"
  std::string_view statement;  // that of this phone's release
  Verdict verdict = Verdict::open;
  std::string saw{};  // of `differs` and `open`: what the answer was, one short line

  bool operator==(const Finding&) const = default;
};

// One for each id, in the order of docs/internals/android.md.
std::vector<Finding> judge_facts(const PhoneReport& report);
bool is_as_described(const std::vector<Finding>& findings);  // no statement differs

// {"ok":..,"phone":{"sdk","maker"},"facts":[{"id","statement","verdict","saw"}],"counts":{..}}
std::string conformance_json(const PhoneReport& report);

}  // namespace clawperator
