#include <cmath>

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/number.hpp"
#include "cli/settings.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"
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

Result<act::Sleep> ask_sleep(const Invocation& invocation) {
  TRY(const double duration, read_duration(invocation.arguments));
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  return act::Sleep{duration};
}

constinit const Command kSleep = {"sleep",
                                  "",
                                  "<ms>",
                                  "Let the device wait, at most 120000 ms",
                                  "",
                                  "sleep 1500\n",
                                  Reach::device,
                                  {},
                                  run_verb<ask_sleep>,
                                  {},
                                  1};

}  // namespace clawperator::cli
