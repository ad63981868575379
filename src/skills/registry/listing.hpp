#pragma once
// Answers that list skills, as the command line and HTTP give them. Pure.

#include <string>
#include <vector>

#include "skills/registry/registry.hpp"

namespace clawperator::skills {

// {"skills":[...],"count":n}, each as it is stored.
std::string listing_json(const std::vector<const Skill*>& skills);

}  // namespace clawperator::skills
