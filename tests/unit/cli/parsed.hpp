#pragma once
// What CLI11 makes of words, by one table of options.

#include "cli/grammar/cli11_parser.hpp"
#include "unit/cli/invoke.hpp"

namespace clawperator::cli {

struct Parsed {
  std::vector<Given> given{};
  Words rest{};
};

inline Parsed parsed(std::span<const Option> options, const Words& words,
                     Until until = Until::end) {
  Parsed all;
  all.rest = parse_words(
      words, until, [&](std::string_view spelling) { return find_option(options, spelling); },
      [&](Given given) { all.given.push_back(std::move(given)); });
  return all;
}

}  // namespace clawperator::cli
