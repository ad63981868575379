#include "runtime/contract/issues.hpp"

#include "base/json_text.hpp"

namespace clawperator {
namespace {

// In the order of IssueKind.
constexpr auto kKindNames = std::to_array<std::string_view>({
    "invalid_type",
    "invalid_literal",
    "invalid_enum_value",
    "unrecognized_keys",
    "too_small",
    "too_big",
    "custom",
});

}  // namespace

IssuePath IssuePath::extended(std::string_view dotted, std::string_view json) const {
  IssuePath path = *this;
  if (!path.json_.empty()) {
    path.dotted_ += '.';
    path.json_ += ',';
  }
  path.dotted_ += dotted;
  path.json_ += json;
  return path;
}

IssuePath IssuePath::operator/(std::string_view member) const {
  return extended(member, quote_json(member));
}

IssuePath IssuePath::operator/(std::size_t index) const {
  const std::string text = std::to_string(index);
  IssuePath path = extended(text, text);
  if (!path.action_) path.action_ = index;
  return path;
}

void Issues::add(IssueKind kind, const IssuePath& path, std::string message,
                 std::vector<std::string> keys) {
  if (issues_.size() >= kMaxIssues) return;
  issues_.push_back({kind, path, std::move(message), std::move(keys)});
}

void Issues::add_choice(const IssuePath& path, std::string message, std::string value,
                        std::vector<std::string> allowed) {
  if (issues_.size() >= kMaxIssues) return;
  issues_.push_back(
      {IssueKind::custom, path, std::move(message), {}, std::move(value), std::move(allowed)});
}

void Issues::append(Issues more) {
  for (Issue& issue : more.issues_) {
    if (issues_.size() < kMaxIssues) issues_.push_back(std::move(issue));
  }
}

std::string Issues::json() const {
  return list_json(issues_, [](const Issue& issue) {
    return JsonObject()
        .text("code", kKindNames[static_cast<std::size_t>(issue.kind)])
        .text("message", issue.message)
        .json("path", issue.path.json());
  });
}

}  // namespace clawperator
