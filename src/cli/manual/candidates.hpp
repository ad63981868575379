#pragma once
// What only this program can tell a shell's completion: serials, packages, virtual devices.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clawperator::cli {

// The kinds, separated by spaces: the choices of `completion --candidates`.
inline constexpr std::string_view kCandidateKinds = "serials packages avds";

// One a line. `words` is the command line so far, without the program: its --device, --adb-server
// and --transport count. Takes at most a second, starts nothing, asks nobody; whatever goes wrong
// makes an empty list.
std::string candidates(std::string_view kind, std::span<const std::string> words);

// Sorted, one a line, each once; without the names that a shell could take for more than a word.
std::string candidate_lines(std::vector<std::string> names);

}  // namespace clawperator::cli
