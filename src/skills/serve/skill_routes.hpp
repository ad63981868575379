#pragma once
// GET /skills, GET /skills/:id and POST /skills/:id/run of `clawperator serve`.

#include "runtime/serve/route_table.hpp"

namespace clawperator::skills {

serve::MoreRoutes skill_routes();

}  // namespace clawperator::skills
