#pragma once
// The other programs in PATH that users know by our names: upstream's, or a second one of ours.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator {

// `clawperator` and `androperator` in PATH, in its order, without this program and what starts it.
std::vector<std::filesystem::path> other_programs();

// Whether npm has installed both: the one starts the other. Paths without links.
bool is_launcher_of(const std::filesystem::path& launcher, const std::filesystem::path& program);

}  // namespace clawperator
