#pragma once
// What a run came to, as the command line, HTTP and tools tell it. Pure.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/json_document.hpp"
#include "skills/registry/manifest.hpp"
#include "skills/result/frame.hpp"

namespace clawperator::skills {

// What was asked for, as far as the answer depends on it.
struct Asked {
  std::string skill_id{};
  std::vector<std::string> args{};  // those of the skill
  std::optional<std::string> expect_contains{};
  std::optional<std::chrono::milliseconds> timeout{};  // that the caller gave
};

// How the script ended.
struct Ended {
  bool timed_out = false;
  std::optional<int> exit_code{};  // absent where it did not end by itself, or did not begin
  std::string out{};
  std::string err{};
  bool has_expected = true;  // the text that is expected was in stdout, all of it
  std::chrono::milliseconds duration{};
  std::chrono::milliseconds limit{};
};

struct Outcome {
  enum class Kind { success, indeterminate, failed } kind = Kind::success;
  Errc code{};                     // unless it is a success
  std::string json{};              // the published answer of the command line, one object
  std::string contract_version{};  // of its frame, if there is one
};

inline constexpr std::chrono::milliseconds kLongestRun{3'600'000};  // that a caller may ask for

// In this order: out of time, a broken frame, an exit code, a text that is missing, a declared
// verification.
Outcome judge_run(const Asked& asked, const Ended& ended, const FrameRules& rules,
                  const Contract& contract);

// A run that did not begin because the script could not be started.
Outcome not_started(const Asked& asked, const std::string& why);

// The members of `json` behind "ok": what tools tell.
std::string json_with_ok(const Outcome& outcome);

// The answer of POST /skills/:id/run: {"ok":true,...}; an indeterminate one {"ok":false,...}, also
// 200; {"ok":false,"error":{...}}.
std::string http_body(const Outcome& outcome);

}  // namespace clawperator::skills
