#pragma once
// What of this computer decides which skills may be used.

#include "skills/agent/gating.hpp"

namespace clawperator::agent_skills {

// PATH and the environment as they are when it is asked; what was found on the PATH is remembered
// as long as the facts are.
HostFacts host_facts();

}  // namespace clawperator::agent_skills
