#pragma once
// CLI11 sorts the words of a command line by the option tables: which option each belongs to, how
// many values it takes, and what is left.
//
// CLI11 judges nothing. Its errors name neither the spelling that was used nor the fault by a code,
// and they come in another order than the published one; so it is told to take what there is, and
// `arguments` and `globals` say what is wrong with it.

#include <span>
#include <string>
#include <vector>

#include "cli/grammar/option.hpp"

namespace clawperator::cli {

// One occurrence of an option.
struct Given {
  const Option* option = nullptr;
  std::string spelling;
  std::vector<std::string> values;
  bool missing_value = false;
};

// In the order of the words.
struct Sorted {
  std::vector<Given> globals;
  std::vector<Given> own;
  std::vector<std::string> rest;  // positionals, and flags that are nobody's
};

// Options before the command are global; after it they are the command's own if it has them. The
// result points into `own`.
Sorted sort_words(std::span<const Option> own, std::span<const std::string> before_command,
                  std::span<const std::string> after_command);

}  // namespace clawperator::cli
