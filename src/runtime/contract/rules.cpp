#include "runtime/contract/rules.hpp"

#include <cmath>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

std::string param(std::string_view name) { return " params." + std::string(name); }

}  // namespace

bool is_blank_or_absent(const std::optional<std::string>& text) { return !text || is_blank(*text); }

void Rules::refuse(std::string_view rest) const {
  issues_->add(IssueKind::custom, at_, std::string(type_) + std::string(rest));
}

void Rules::refuse(std::string_view name, std::string_view rest) const {
  issues_->add(IssueKind::custom, at_ / name, std::string(type_) + std::string(rest));
}

void Rules::not_blank_if_given(std::string_view name, const std::optional<std::string>& given,
                               std::string_view must) const {
  if (given && is_blank(*given)) refuse(name, param(name) + std::string(must));
}

void Rules::choice(std::string_view name, const std::optional<std::string>& given) const {
  if (!given) return;
  const ParamRow& row = *find_param_row(name);
  if (is_one_of(ascii_lower(row.is_trimmed ? trim_js(*given) : *given), row.choices)) return;
  std::vector<std::string> allowed;
  std::string list;
  for (const std::string_view word : split(row.choices, ' ')) {
    list.append(list.empty() ? "" : ", ").append(word);
    allowed.emplace_back(word);
  }
  issues_->add_choice(at_ / name, std::string(type_) + param(name) + " must be one of: " + list,
                      *given, std::move(allowed));
}

void Rules::within(std::string_view name, std::optional<double> given, Range range) const {
  if (given && (*given < range.low || *given > range.high))
    refuse(name, param(name) + " must be in " + std::string(range.shown));
}

void Rules::whole_within(std::string_view name, std::optional<double> given, Range range) const {
  if (given && (*given != std::trunc(*given) || *given < range.low || *given > range.high))
    refuse(name, param(name) + " must be an integer in " + std::string(range.shown));
}

void check_rules(const Action& action, const IssuePath& at, Issues& issues) {
  const ActionRow& row = row_of(action.type());
  const Rules rules(row.name, at, &issues);
  // An old app ignores the unknown parameter, and takes one of several nodes.
  const bool* strict = param_as<bool>(action, "strict");
  if (strict && *strict && !row.find(param_index("strict")))
    rules.refuse("strict", " does not support params.strict");
  for (const ParamUse& use : row.params) {
    const ParamRef given = use.get(action);
    const auto* text = std::get_if<const std::string*>(&given);
    const bool is_there = text ? !is_blank(**text) : given.index() != 0;
    if (use.need == Need::given && !is_there)
      rules.refuse(use.name(), " requires" + param(use.name()));
  }
  if (row.check) row.check(action, rules);
}

}  // namespace clawperator
