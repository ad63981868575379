#include <algorithm>
#include <cmath>

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/grammar/number.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr double kLongest = 120000;

Result<double> read_duration(const Arguments& arguments) {
  if (arguments.positionals().empty()) {
    return missing_argument("sleep requires a duration in milliseconds.", "sleep <ms>");
  }
  const std::string& text = arguments.positionals().front();
  const double duration = parse_number(text);
  if (!std::isfinite(duration) || duration < 0) {
    return validation_error("Duration must be a non-negative number (got: " + text + ")");
  }
  if (duration > kLongest) {
    return validation_error("Duration must be <= 120000ms (got: " + number_json(duration) + "ms)");
  }
  return duration;
}

}  // namespace

Result<Draft> draft_sleep(const Invocation& invocation) {
  TRY(const double duration, read_duration(invocation.arguments));
  TRY(const double asked, finite_timeout_or(invocation.globals, 0));
  const std::string id = invocation.stamp.long_id("sleep");
  // The plan outlives the sleep as far as a plan may last.
  const double timeout = std::max({std::min(duration + 5000, kLongest), asked, 30000.0});
  return Draft{single_action({id, id, "clawperator-cli", timeout, false}, "sleep", "sleep",
                             JsonObject().real("durationMs", duration).str()),
               std::nullopt};
}

constinit const Command kSleep = {"sleep",
                                  "",
                                  "<ms>",
                                  "Let the device wait, at most 120000 ms",
                                  "",
                                  "sleep 1500\n",
                                  Reach::device,
                                  {},
                                  run_drafted<draft_sleep>,
                                  {},
                                  1};

}  // namespace clawperator::cli
