#pragma once
// The arguments of a command: its options, checked against their table, and its positionals.

#include "base/error.hpp"
#include "cli/grammar/option.hpp"

namespace clawperator::cli {

// One occurrence of an option.
struct Given {
  const Option* option = nullptr;
  std::string spelling;
  std::vector<std::string> values;
  bool missing_value = false;
};

class Arguments {
 public:
  Arguments() = default;
  Arguments(std::vector<Given> given, std::vector<std::string> positionals)
      : given_(std::move(given)), positionals_(std::move(positionals)) {}

  // `name` is always the canonical spelling.
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

  // The effective occurrence: the canonical spelling has priority over aliases, then the last one.
  [[nodiscard]] const Given* find(std::string_view name) const;

  // Its first value; nullptr when the option is absent or has no value.
  [[nodiscard]] const std::string* value(std::string_view name) const;

  // The first value, else `otherwise`.
  [[nodiscard]] std::string value_or(std::string_view name, std::string_view otherwise) const;

  // True if one spelling of the option occurs twice.
  [[nodiscard]] bool repeated(std::string_view name) const;

  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }

 private:
  std::vector<Given> given_;
  std::vector<std::string> positionals_;
};

// USAGE for a value that is not in `choices`, a list separated by spaces.
std::unexpected<Error> not_a_choice(std::string_view flag, std::string_view choices);

// USAGE for a value of an option that takes none.
Result<void> check_switch(const Given& given);

// USAGE for the first option that lacks its value, has one outside its choices, or is spelled
// twice. Options with OnMissing::command are checked by the command itself.
Result<void> check_given(std::span<const Given> all);

}  // namespace clawperator::cli
