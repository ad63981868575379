#pragma once
// The environment of a program that we start: variables that every program needs, those that this
// one needs, and those that the user passes by name. Never all of ours. Pure.

#include "base/secrets.hpp"

namespace base {

// Names of variables, between commas or blanks, that every program we start gets, too.
inline constexpr std::string_view kPassVariable = "CLAWPERATOR_PASS_ENV";

struct EnvironmentRules {
  // Between blanks; NAME* stands for every name that begins so and names no secret.
  std::string_view needed{};
  std::span<const std::string> set{};  // NAME=VALUE instead of ours; NAME: without ours
};

// Of `ours`, each NAME=VALUE. CLAWPERATOR_TOKEN is never part of it.
std::vector<std::string> child_environment(std::span<const std::string> ours,
                                           const EnvironmentRules& rules);

// The values of `ours` that no log may show: those of secret names, and those that the user passes.
Secrets secrets_in(std::span<const std::string> ours);

// This process's own, as NAME=VALUE.
std::vector<std::string> our_environment();

}  // namespace base
