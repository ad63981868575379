#pragma once
// Every route: its function, and its entry in `GET /` and `GET /openapi.json`.

#include "base/error.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// A parameter of the query.
struct Parameter {
  std::string_view name;
  std::string_view schema;  // JSON Schema
  std::string_view meaning;
};

// The parts of a request beside its path.
struct RequestForm {
  std::string_view body_schema{};  // a name of openapi_schemas.json; empty: it has none
  bool may_lack_body = false;
  std::span<const Parameter> query{};
  bool judges_members = false;  // the route itself refuses members that the body may not have
};

// An answer that is no error, and not JSON with status 200.
struct AnswerForm {
  int status;
  std::string_view type;    // of the content
  std::string_view schema;  // a name of openapi_schemas.json
};

struct RouteRow {
  std::string_view method;
  std::string_view path;  // "/devices/:serial/snapshot": a segment with a colon is any
  Route answer;
  std::string_view summary;
  std::string_view json_schema;    // of the answer 200; a name of the schemas, or empty
  std::span<const Errc> errors{};  // those that a client may want to distinguish
  RequestForm request{};
  std::span<const AnswerForm> other_answers{};
  http::Entry entry = http::Entry::guarded;
  bool is_old_name = false;
};

std::span<const RouteRow> route_table();

// Routes of other modules and the schemas that they name; the server's caller passes them in.
// `meanwhile` runs from the start and is cancelled at the end.
struct MoreRoutes {
  std::span<const RouteRow> rows{};
  std::string_view schemas{};  // as kOpenApiSchemas; empty: the table before has them
  asio::awaitable<void> (*meanwhile)(Service*) = nullptr;
};

// Those of the table, then the others.
std::vector<RouteRow> all_routes(std::span<const MoreRoutes> more);

// The row of a request. Without one, `allowed` names the methods that the path has ("GET, POST");
// none: there is no such path. HEAD is GET without the body.
struct FoundRoute {
  const RouteRow* row = nullptr;
  std::vector<std::string> parameters{};
  std::string allowed{};
};
FoundRoute find_route(std::span<const RouteRow> routes, std::string_view method,
                      const std::vector<std::string>& segments);

// invalid_query, invalid_body: a member that the route does not have, with the nearest one. What
// the members mean, and a body that is no object, is the route's to judge.
Result<void> refuse_unknown(const Service& service, const RouteRow& row,
                            const http::Request& request);

// not_found and method_not_allowed as answers.
http::Response no_route(const http::Request& request, const std::string& allowed);

// The answer of a route that was found.
Task<http::Response> answer_request(Service* service, FoundRoute found, http::Request request);

// The schemas of bodies and answers: openapi_schemas.json, by embed.cmake. An object of JSON
// Schemas by name. Execution is not among them: it is made of the contract's tables.
extern const std::string_view kOpenApiSchemas;
// These and those of other modules' routes.
Json all_schemas(std::span<const MoreRoutes> more);

// The routes as an OpenAPI 3.1 document, made of their table. Pure.
std::string openapi_document(std::span<const RouteRow> routes,
                             std::span<const MoreRoutes> more = {});

}  // namespace clawperator::serve
