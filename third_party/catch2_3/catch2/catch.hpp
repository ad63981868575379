#pragma once
// Catch2 3, as Debian 13 has it, under the header and the names of Debian 12's Catch2 2.13.

#include <catch2/catch_all.hpp>

namespace Catch {

inline auto Contains(const std::string& text) { return Matchers::ContainsSubstring(text); }
using Matchers::EndsWith;
using Matchers::StartsWith;

}  // namespace Catch
