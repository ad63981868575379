#pragma once
// What the command was given: its options, checked against their table, and its positionals.

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

  // The occurrence that counts: the canonical spelling wins over aliases, then the last one wins.
  [[nodiscard]] const Given* find(std::string_view name) const;

  // Its first value; nullptr when the option is absent or has no value.
  [[nodiscard]] const std::string* value(std::string_view name) const;

  // The same, else `otherwise`.
  [[nodiscard]] std::string value_or(std::string_view name, std::string_view otherwise) const;

  // True if one spelling of the option occurs twice.
  [[nodiscard]] bool repeated(std::string_view name) const;

  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }

 private:
  std::vector<Given> given_;
  std::vector<std::string> positionals_;
};

// USAGE for a value that is none of `choices`, a list with spaces between.
std::unexpected<Error> not_a_choice(std::string_view flag, std::string_view choices);

// USAGE for a value that a switch does not take.
Result<void> check_switch(const Given& given);

// USAGE for the first that lacks its value, has one that is none of its choices, or is spelled
// twice; what the command judges itself (OnMissing::command) is left to it.
Result<void> check_given(std::span<const Given> all);

}  // namespace clawperator::cli
