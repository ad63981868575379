#pragma once
// Completion scripts for bash, zsh and fish, made from the command and option tables.

#include <string>

namespace clawperator::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace clawperator::cli
