#pragma once
// The grants of the Operator app as lines for people.

#include <string>

#include "runtime/host/permissions.hpp"

namespace clawperator::cli {

// "  ok      accessibility service (was enabled)\n", one line a grant.
std::string grants_for_people(const GrantReport& report);

}  // namespace clawperator::cli
