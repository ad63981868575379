#include "cli/chore.hpp"

#include "cli/settings.hpp"
#include "cli/target_argument.hpp"

namespace clawperator::cli {
namespace {

// Pictures and packages travel, virtual devices boot: longer than any execution may take.
constexpr double kLongestChore = 3'600'000;

}  // namespace

Result<ChoreLimit> chore_limit(const Globals& globals) {
  if (!globals.timeout_ms) return ChoreLimit{};
  TRY(const double given, finite_timeout_or(globals, kLongestChore));
  if (given < 1 || given > kLongestChore) {
    return validation_error("timeoutMs must be between 1 and 3600000");
  }
  return ChoreLimit(std::chrono::milliseconds(static_cast<std::int64_t>(given)));
}

}  // namespace clawperator::cli
