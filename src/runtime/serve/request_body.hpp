#pragma once
// The bodies of requests, and their members in a query, checked in the published order. Pure.

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "runtime/act/request.hpp"
#include "runtime/http/request.hpp"

namespace clawperator::serve {

// Members that every execution may have: the device and the way to reach it.
struct Target {
  std::optional<std::string> device{};
  std::optional<std::string> operator_package{};
  std::chrono::milliseconds queue_limit{0};  // how long it waits in line for a busy device
  std::optional<Backend> backend{};          // absent: that of the server
};

// Whether the Content-Type is JSON.
bool is_json(const http::Request& request);

// An object or an array: invalid_body where there is neither, invalid_json where the text is no
// JSON. Without `Content-Type: application/json` a body is missing.
Result<Json> read_body(const http::Request& request);
// The same, but an array is refused.
Result<Json> read_object_body(const http::Request& request);
// The same of a route that does without a body.
Result<Json> read_optional_body(const http::Request& request);

// `deviceId`, `operatorPackage` (and `receiverPackage`, its old name): invalid_device_id,
// invalid_operator_package. `queue`, `queueTimeoutMs`, `backend`: invalid_body.
Result<Target> read_target(const Json& body);

// `verify`, with `settleMs`, which are then no longer there: invalid_body.
Result<std::optional<Verify>> take_verify(Json& body);
// `observe`, with `settleMs`, which are then no longer there, unless `verify` has the time, too:
// invalid_body.
Result<std::optional<act::Observation>> take_observation(Json& body);
// `ref`, a text: invalid_body.
Result<std::optional<std::string>> read_ref(const Json& body);
// `nth`, from 1 on: invalid_body.
Result<std::optional<std::size_t>> read_nth(const Json& body);
// `patience`, milliseconds: invalid_body.
Result<std::optional<std::chrono::milliseconds>> read_patience(const Json& body);
// false where there is none; invalid_body.
// true or false of the query; invalid_query for anything else.
Result<bool> read_flag(const http::Request& request, std::string_view name, bool otherwise);
Result<bool> read_flag(const Json& body, std::string_view name);

// The last three of a query: invalid_query.
Result<std::chrono::milliseconds> read_queue_limit(const http::Request& request);
Result<std::optional<Backend>> read_backend(const http::Request& request);

// The JSON text of `execution`; missing_execution where it is missing, or what JavaScript takes for
// false.
Result<std::string> read_execution(const Json& body);

// `path`; invalid_path.
Result<std::optional<std::string>> read_path(const Json& body);

}  // namespace clawperator::serve
