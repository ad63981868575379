#pragma once
// The faults of an execution, in the order they were found. The first issue is the published
// message; all of them go into details.reason.

#include "base/prelude.hpp"

namespace clawperator {

// Where an issue sits: "actions.0.params.key", and the same as a JSON array.
class IssuePath {
 public:
  [[nodiscard]] IssuePath operator/(std::string_view member) const;
  [[nodiscard]] IssuePath operator/(std::size_t index) const;

  [[nodiscard]] const std::string& dotted() const { return dotted_; }
  [[nodiscard]] std::string json() const { return "[" + json_ + "]"; }
  // The index next to the first `actions`.
  [[nodiscard]] std::optional<std::size_t> action() const { return action_; }

 private:
  [[nodiscard]] IssuePath extended(std::string_view dotted, std::string_view json) const;

  std::string dotted_;
  std::string json_;
  std::optional<std::size_t> action_;
};

enum class IssueKind {
  invalid_type,
  invalid_literal,
  invalid_enum_value,
  unrecognized_keys,
  too_small,
  too_big,
  custom,
};

struct Issue {
  IssueKind kind{};
  IssuePath path;
  std::string message;
  std::vector<std::string> keys;  // of unrecognized_keys
  // For a word that is not one of the allowed ones: the word, and the allowed ones.
  std::string value{};
  std::vector<std::string> allowed{};
};

class Issues {
 public:
  void add(IssueKind kind, const IssuePath& path, std::string message,
           std::vector<std::string> keys = {});
  // The word at `path` is none of `allowed`.
  void add_choice(const IssuePath& path, std::string message, std::string value,
                  std::vector<std::string> allowed);

  void append(Issues more);

  [[nodiscard]] bool empty() const { return issues_.empty(); }
  [[nodiscard]] const Issue& first() const { return issues_.front(); }
  // [{"code","message","path"}, ...]
  [[nodiscard]] std::string json() const;

 private:
  std::vector<Issue> issues_;  // at most kMaxIssues; later ones are dropped
};

// Four for each of kMaxActions; a hostile plan has one every few bytes.
inline constexpr std::size_t kMaxIssues = 200;

}  // namespace clawperator
