#pragma once
// One walk over the words, before anything is parsed: which command it is, how its answer is to be
// printed, whether --version or --help is wanted. It never fails, so that an error is printed as
// the rest of the line asks for.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"

namespace clawperator::cli {

struct Walk {
  std::vector<std::string> names;  // what may name the command: at most two words
  Lookup found;
  std::vector<std::string> before;  // the other words before the command's name
  std::vector<std::string> after;   // those that follow it, up to `--`
  std::vector<std::string> passed;  // of those, what a script is to get (Kind::script)
  std::vector<std::string> tail;    // taken as it is: what follows `--`, or a foreign command
  std::string stray;                // the first flag before the command that is nobody's
  OutputMode output = OutputMode::json;
  bool stdout_is_for_picture = false;  // every document goes to stderr, that of an error too
  bool version = false;
  bool help = false;
};

Walk walk_over(std::span<const std::string> argv);

// True for what begins with a dash and is no value: not `-`, `--`, `-5`.
bool looks_like_flag(std::string_view word);

}  // namespace clawperator::cli
