#pragma once
// Every route: what `GET /` lists, and which function answers.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

struct RouteRow {
  std::string_view method;
  std::string_view path;  // "/devices/:serial/snapshot": a segment with a colon is any
  Route answer;
  std::string_view summary;
};

std::span<const RouteRow> route_table();

// The row of a request. Without one, `allowed` names the methods that the path has ("GET, POST");
// none: there is no such path. HEAD is GET without the body.
struct FoundRoute {
  const RouteRow* row = nullptr;
  std::vector<std::string> parameters{};
  std::string allowed{};
};
FoundRoute find_route(std::string_view method, const std::vector<std::string>& segments);

// not_found and method_not_allowed as answers.
http::Response no_route(const http::Request& request, const std::string& allowed);

// The answer of the request's row; not_found, method_not_allowed (with the header Allow).
Task<http::Response> answer_request(Service* service, http::Request request);

}  // namespace clawperator::serve
