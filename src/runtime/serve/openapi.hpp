#pragma once
// The routes as an OpenAPI 3.1 document, made of their table. Pure.

#include <span>
#include <string>
#include <string_view>

#include "runtime/serve/route_table.hpp"

namespace clawperator::serve {

// What bodies and answers are made of, beside Execution, which is made of the contract's tables.
std::span<const OpenApiSchema> openapi_schemas();

std::string openapi_document(std::span<const RouteRow> routes,
                             std::span<const MoreRoutes> more = {});

}  // namespace clawperator::serve
