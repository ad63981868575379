#pragma once
// The result of a run, for the command line, HTTP and tools. Pure.

#include "base/json_document.hpp"
#include "skills/phone/rules/frame.hpp"
#include "skills/phone/rules/manifest.hpp"

namespace clawperator::phone_skills {

// The members of a call that its answer depends on.
struct SkillCall {
  std::string skill_id{};
  std::vector<std::string> args{};  // those of the skill
  std::optional<std::string> expect_contains{};
  std::optional<std::chrono::milliseconds> timeout{};  // that the caller gave
};

// The end of the script.
struct Ended {
  bool timed_out = false;
  std::optional<int> exit_code{};  // absent where it was killed, or did not begin
  std::string out{};
  std::string err{};
  bool has_expected = true;  // stdout contained all of the expected text
  std::chrono::milliseconds duration{};
  std::chrono::milliseconds limit{};
};

struct Outcome {
  // reported: the script ended well, and its frame reports that the goal was not reached.
  enum class Kind { success, reported, indeterminate, failed } kind = Kind::success;
  Errc code = errc::unknown;       // unless it is a success
  std::string json{};              // the published answer of the command line, one object
  std::string contract_version{};  // of its frame, if there is one
};

inline constexpr std::chrono::milliseconds kLongestRun{3'600'000};  // that a caller may set

// In this order: out of time, a broken frame, an exit code, a missing text, a declared
// verification, the frame's own status.
Outcome judge_run(const SkillCall& call, const Ended& ended, const FrameRules& rules,
                  const Contract& contract);

// A run that did not begin because the script could not be started.
Outcome not_started(const SkillCall& call, const std::string& why);

// The members of `json` behind "ok", for tools.
std::string json_with_ok(const Outcome& outcome);

// The answer of POST /skills/:id/run: {"ok":true,...}; {"ok":false,...}, also 200, of a reported or
// indeterminate one; {"ok":false,"error":{...}}.
std::string http_body(const Outcome& outcome);

// The inputs of the contract in the skill's arguments. By name `--percent 40` or `--percent=40`
// (`_` is `-` there; the last one counts), else, in the order of the names, the last words without
// a dash. Returns the text of an object; the error names the invalid argument.
Result<std::string> trusted_inputs(const Contract& contract, const std::vector<std::string>& args);

// Why a run has not proved what its skill.json declares; nullopt: it has. `result`: the frame's, if
// there is one.
std::optional<std::string> unproved_because(const Contract& contract,
                                            const std::vector<std::string>& args,
                                            const std::optional<Json>& result);

// Output without a bound: keeps its beginning and its end, with a mark where a part is missing.
class BoundedText {
 public:
  static constexpr std::size_t kHalf = std::size_t{8} << 20;

  void append(std::string_view text) {
    const std::size_t room = kHalf - head_.size();
    head_ += text.substr(0, room);
    if (text.size() <= room) return;
    tail_ += text.substr(room);
    if (tail_.size() <= 2 * kHalf) return;
    lost_ += tail_.size() - kHalf;
    tail_.erase(0, tail_.size() - kHalf);
  }

  [[nodiscard]] std::string str() const {
    const std::size_t excess = tail_.size() > kHalf ? tail_.size() - kHalf : 0;
    if (lost_ + excess == 0) return head_ + tail_;
    return head_ + "\n[clawperator: " + std::to_string(lost_ + excess) +
           " bytes are left out here]\n" + tail_.substr(excess);
  }

 private:
  std::string head_;
  std::string tail_;  // only its last kHalf bytes count
  std::size_t lost_ = 0;
};

// Whether a text that arrives in pieces contains another.
class TextSearch {
 public:
  TextSearch() = default;
  explicit TextSearch(std::string wanted) : wanted_(std::move(wanted)) {}

  void take(std::string_view piece) {
    if (was_found()) return;
    rest_ += piece;
    found_ = rest_.contains(wanted_);
    const std::size_t overlap = wanted_.size() - 1;  // it is not empty here
    if (rest_.size() > overlap) rest_.erase(0, rest_.size() - overlap);
  }
  [[nodiscard]] bool was_found() const { return found_ || wanted_.empty(); }

 private:
  std::string wanted_;
  std::string rest_;
  bool found_ = false;
};

}  // namespace clawperator::phone_skills
