#pragma once
// A version of three numbers, of a program or an app. Pure.

#include <compare>

#include "base/prelude.hpp"

namespace base {

struct Version {
  int major = 0, minor = 0, patch = 0;
  auto operator<=>(const Version&) const = default;
};

// "0.5.3", "0.5.3-d", "1.2.3-rc.1": the suffix is ignored. nullopt for other texts.
std::optional<Version> parse_version(std::string_view text);
std::string to_string(const Version& version);

}  // namespace base
