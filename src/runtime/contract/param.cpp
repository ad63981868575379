#include "runtime/contract/param.hpp"

#include <algorithm>

#include "base/json_text.hpp"

namespace clawperator {

Retry retry_for(std::chrono::milliseconds patience) {
  constexpr std::int64_t kMostPauses = 9;  // between the ten tries that the app makes at most
  constexpr std::int64_t kPauseMs = 250;
  const auto pauses = std::min((patience.count() + kPauseMs - 1) / kPauseMs, kMostPauses);
  const auto pause = static_cast<double>(pauses > 0 ? patience.count() / pauses : 0);
  const auto tries = static_cast<double>(pauses + 1);
  Retry retry{.max_attempts = tries,
              .initial_delay_ms = pause,
              .max_delay_ms = pause,
              .backoff_multiplier = 1};
  retry.json = JsonObject()
                   .real("maxAttempts", tries)
                   .real("initialDelayMs", *retry.initial_delay_ms)
                   .real("maxDelayMs", *retry.max_delay_ms)
                   .real("backoffMultiplier", *retry.backoff_multiplier)
                   .real("jitterRatio", 0)
                   .str();
  return retry;
}

std::string_view kind_name(ParamKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"text",    "number",     "boolean",
                                                   "matcher", "coordinate", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace clawperator
