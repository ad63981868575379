#include "skills/serve/run_body.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"

namespace clawperator::skills {
namespace {

Result<std::vector<std::string>> read_args(const Json& body) {
  std::vector<std::string> args;
  const Json* given = find_member(body, "args");
  if (given == nullptr) return args;
  if (!given->is_array()) return fail(errc::invalid_args, "'args' must be an array");
  for (const Json& value : *given) {
    const std::string* text = string_value(&value);
    args.push_back(text ? *text : write_json(value));
    if (args.back().contains('\0')) return fail(errc::invalid_args, "'args' must not contain NUL");
  }
  return args;
}

Result<std::optional<std::chrono::milliseconds>> read_timeout(const Json& body) {
  const Json* given = find_member(body, "timeoutMs");
  if (given == nullptr) return std::nullopt;
  const double ms = given->is_number() ? given->get<double>() : 0;
  if (ms >= 1 && ms <= static_cast<double>(kLongestRun.count()) && ms == std::floor(ms)) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(ms));
  }
  return fail(errc::invalid_timeout_ms, "'timeoutMs' must be a positive integer");
}

Result<std::optional<std::string>> read_expected(const Json& body) {
  const Json* given = find_member(body, "expectContains");
  if (given == nullptr) return std::nullopt;
  const std::string* text = string_value(given);
  if (text != nullptr) return *text;
  return fail(errc::invalid_expect_contains, "'expectContains' must be a string");
}

}  // namespace

Result<RunBody> read_run_body(const http::Request& request, std::string skill_id) {
  // A body that is not read would be a run of something else.
  if (!request.body.empty() && !serve::is_json(request)) {
    return fail(errc::invalid_body, "Request body must be a JSON object");
  }
  TRY(const Json json, serve::read_optional_body(request));
  if (!json.is_object()) {
    return fail(errc::invalid_body, "Request body must be a JSON object");
  }
  RunBody body;
  TRY(body.whom, serve::read_whom(json));
  body.asked.skill_id = std::move(skill_id);
  TRY(body.asked.args, read_args(json));
  TRY(body.asked.timeout, read_timeout(json));
  TRY(body.asked.expect_contains, read_expected(json));
  return body;
}

}  // namespace clawperator::skills
