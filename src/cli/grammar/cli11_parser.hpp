#pragma once
// CLI11 parses words by option rows. It judges nothing that a row does not say: the published order
// of the checks begins behind the last word, so a fault that it would throw on the way comes too
// early.

#include "cli/grammar/arguments.hpp"

namespace clawperator::cli {

enum class Until { end, first_word };

// Which option a spelling is of; nullptr: none that is known here.
using FindOption = std::function<const Option*(std::string_view spelling)>;
using TakeOption = std::function<void(Given)>;

// `take` gets the options among the words, in their order. Returns what is left: words, and flags
// that are unknown. Until::first_word leaves all from the first word on, as it stands.
std::vector<std::string> parse_words(std::vector<std::string> words, Until until,
                                     const FindOption& find, const TakeOption& take);

}  // namespace clawperator::cli
