#pragma once
// The words after the command name, sorted into its options and its positionals.
//
// Two passes. The gate: every `--x` before the first `--` must be in the option table, else USAGE
// with did-you-mean. Then the words are taken left to right; `--flag value` and `--flag=value` are
// the same, a value that begins with `-` needs the second form (`-` alone is a value). A missing
// value, or a value option that is spelled twice, is USAGE, or is recorded for the command to judge
// (OnMissing::command).
// A word that begins with one dash is refused unless it is an option, a negative number or `-`;
// what follows `--` is positional.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adbproto/base/error.hpp"
#include "cli/option.hpp"

namespace clawperator::cli {

// Did-you-mean among the options and the global ones.
std::optional<std::string_view> nearest_flag(std::span<const Option> options,
                                             std::string_view flag);

// USAGE for a flag that is in neither table, with did-you-mean.
std::unexpected<adbproto::Error> unrecognized_flag(std::span<const Option> options,
                                                   std::string_view flag);

// True for what begins with a dash and is no value: not `-`, `--`, `-5`.
bool looks_like_flag(std::string_view word);

// One occurrence of an option.
struct Given {
  const Option* option = nullptr;
  std::string spelling;
  std::vector<std::string> values;
  bool missing_value = false;
};

class Arguments {
 public:
  // `options` must outlive the result.
  static adbproto::Result<Arguments> parse(std::span<const Option> options,
                                           std::span<const std::string> words);

  // `name` is always the canonical spelling.
  [[nodiscard]] bool has(std::string_view name) const { return find(name) != nullptr; }

  // The occurrence that counts: the canonical spelling wins over aliases, then the last one wins.
  [[nodiscard]] const Given* find(std::string_view name) const;

  // Its first value; nullptr when the option is absent or has no value.
  [[nodiscard]] const std::string* value(std::string_view name) const;

  // True if one spelling of the option occurs twice.
  [[nodiscard]] bool repeated(std::string_view name) const;

  // Drops every occurrence of `name` and adds `given` instead.
  void replace(std::string_view name, Given given);

  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }

 private:
  adbproto::Result<void> take_plain(std::span<const Option> options, const std::string& word);

  std::vector<Given> given_;
  std::vector<std::string> positionals_;
};

}  // namespace clawperator::cli
