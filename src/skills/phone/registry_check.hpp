#pragma once
// The faults of a registry and of the files that it names, each at its place. Other commands need
// less of a repository: `validate`.

#include "skills/phone/repo.hpp"
#include "skills/report/report.hpp"

namespace clawperator::phone_skills {

// Calls with a path relative to the repository.
using TakeFault = std::function<void(const std::string& path, report::Fault fault)>;

// Schema, named files, skill.json, unregistered folders, generated indexes. `text` is the
// registry's.
void check_registry(const Repo& repo, std::string_view text, const TakeFault& take);

}  // namespace clawperator::phone_skills
