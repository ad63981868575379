#pragma once
// CLI11 parses words by option rows. It makes no further checks: the published order of the checks
// begins after the last word, so an error that CLI11 throws in the middle would come too early.

#include "cli/grammar/arguments.hpp"

namespace clawperator::cli {

enum class Until { end, first_word };

// Returns the option of a spelling; nullptr for an unknown one.
using FindOption = std::function<const Option*(std::string_view spelling)>;
using TakeOption = std::function<void(Given)>;

// `take` receives the options among the words, in their order. Returns the rest: words and unknown
// flags. Until::first_word returns everything from the first word on, unchanged.
std::vector<std::string> parse_words(std::vector<std::string> words, Until until,
                                     const FindOption& find, const TakeOption& take);

}  // namespace clawperator::cli
