#pragma once
// The body of POST /skills/:id/run, checked in the published order. Pure.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "runtime/serve/request_body.hpp"
#include "skills/result/outcome.hpp"

namespace clawperator::skills {

struct RunBody {
  serve::Whom whom{};
  Asked asked{};
};

// invalid_body, invalid_json, invalid_device_id, invalid_operator_package, invalid_args,
// invalid_timeout_ms, invalid_expect_contains.
Result<RunBody> read_run_body(const http::Request& request, std::string skill_id);

}  // namespace clawperator::skills
