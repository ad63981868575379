#include "runtime/contract/param.hpp"

#include "base/json_text.hpp"

namespace clawperator {

Retry retry_of(int tries) {
  Retry retry{.max_attempts = tries,
              .initial_delay_ms = 500,
              .max_delay_ms = 3000,
              .backoff_multiplier = 2};
  retry.json = JsonObject()
                   .real("maxAttempts", tries)
                   .real("initialDelayMs", *retry.initial_delay_ms)
                   .real("maxDelayMs", *retry.max_delay_ms)
                   .real("backoffMultiplier", *retry.backoff_multiplier)
                   .real("jitterRatio", 0.15)
                   .str();
  return retry;
}

std::string_view kind_name(ParamKind kind) {
  constexpr std::array<std::string_view, 6> kNames{"text",    "number",     "boolean",
                                                   "matcher", "coordinate", "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace clawperator
