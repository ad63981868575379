#pragma once
// The request target taken apart: `/skills/a%20b/run?keyword=x+y`.
//
// Segments are decoded one by one, so an escaped slash divides nothing; `.` and `..` are segments
// like others.

#include <optional>
#include <string>
#include <string_view>

#include "runtime/http/request.hpp"

namespace clawperator::http {

// nullopt where an escape is none, or stands for NUL.
std::optional<std::string> percent_decoded(std::string_view text);

// `a=1&b=x+y`: a plus is a blank here. nullopt as above.
std::optional<Request::Pairs> query_parameters(std::string_view query);

// Fills target, path, segments and query. The method and the headers must be there: `*` is a target
// of OPTIONS only, and one that names a host must name the one of the Host header.
[[nodiscard]] bool read_target(std::string_view target, Request* request);

}  // namespace clawperator::http
