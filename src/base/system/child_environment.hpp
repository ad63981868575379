#pragma once
// The environment of a program that we start: the variables that every program needs, those that
// this program needs, and those that the user passes by name. Never our whole environment. Pure.

#include "base/secrets.hpp"

namespace base {

// Names of variables, separated by commas or blanks, that every program we start gets, too.
inline constexpr std::string_view kPassVariable = "CLAWPERATOR_PASS_ENV";

struct EnvironmentRules {
  // Separated by blanks; NAME* stands for every name with this beginning that names no secret.
  std::string_view needed{};
  std::span<const std::string> set{};  // NAME=VALUE replaces ours; NAME removes ours
};

// The selected ones of `ours`, as NAME=VALUE. CLAWPERATOR_TOKEN is never among them.
std::vector<std::string> child_environment(std::span<const std::string> ours,
                                           const EnvironmentRules& rules);

// The values in `ours` that no log may show: those with secret names, and those that the user
// passes.
Secrets secrets_in(std::span<const std::string> ours);

// This process's environment, as NAME=VALUE.
std::vector<std::string> our_environment();

}  // namespace base
