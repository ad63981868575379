#pragma once
// The rules for an action's parameters beyond their types and lengths.

#include "runtime/contract/issues.hpp"
#include "runtime/contract/param.hpp"

namespace clawperator {

struct Action;

inline constexpr std::string_view kNotTheOperator =
    " must not name the Operator itself: stopping it takes its accessibility permission away; "
    "`clawperator doctor --fix` starts it anew";

// Published numbers and their spelling: "[0, 10000]".
struct Range {
  double low = 0;
  double high = 0;
  std::string_view shown;
};

// Collects the faults of one action. Every message begins with the canonical type.
class Rules {
 public:
  // `at`: the place of the parameters, actions.<i>.params.
  Rules(std::string_view type, IssuePath at, Issues* issues)
      : type_(type), at_(std::move(at)), issues_(issues) {}

  // `rest` follows the type in the message; without a name it is about the parameters as a whole.
  void refuse(std::string_view rest) const;
  void refuse(std::string_view name, std::string_view rest) const;

  void not_blank_if_given(std::string_view name, const std::optional<std::string>& given,
                          std::string_view must) const;
  // The app drops a plan with a word that it does not know, and never answers.
  void choice(std::string_view name, const std::optional<std::string>& given) const;
  void within(std::string_view name, std::optional<double> given, Range range) const;
  void whole_within(std::string_view name, std::optional<double> given, Range range) const;

 private:
  std::string_view type_;
  IssuePath at_;
  Issues* issues_;
};

bool is_blank_or_absent(const std::optional<std::string>& text);

void check_rules(const Action& action, const IssuePath& at, Issues& issues);

}  // namespace clawperator
