#pragma once
// The device's answer: the [Clawperator-Result] envelope, normalised. Source of the rules: the
// execution contract, sections "envelope reading" and "post-processing".

#include <expected>

#include "base/error.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

enum class EnvelopeStatus { success, failed };

// String to string, in the device's order.
using StepData = std::vector<std::pair<std::string, std::string>>;

struct StepResult {
  std::string id;
  std::string action_type;  // canonical spelling: `snapshot` becomes `snapshot_ui`
  bool success = false;
  StepData data;

  bool operator==(const StepResult&) const = default;
};

struct Envelope {
  std::string command_id;
  std::string task_id;
  EnvelopeStatus status = EnvelopeStatus::failed;
  std::vector<StepResult> step_results;
  std::optional<std::string> error;
  std::optional<std::string> error_code;
  std::optional<std::string> hint;

  bool operator==(const Envelope&) const = default;
};

// The one limit of a result, in one entry or in chunks.
inline constexpr std::size_t kMaxEnvelopeBytes = std::size_t{64} << 20;
inline constexpr std::string_view kTooLongEnvelope = "the device's result is longer than 64 MiB";

// The error of every result of ours that cannot be read; `details.reason` has the cause.
std::unexpected<Error> malformed_envelope(std::string_view why);
// The same code: the app carried the command out, and its result did not arrive.
std::unexpected<Error> lost_receipt(std::string_view why);

// Whether the envelope answers this plan: its taskId; after success each step, in order, by id and
// type; after a failure the first ones, or none. Else result_envelope_malformed.
Result<void> match_plan(const Envelope& envelope, const Execution& execution);

// `text`: everything behind the [Clawperator-Result] marker. Fails with result_envelope_malformed.
// Half surrogate pairs and bytes that are no UTF-8 become U+FFFD.
Result<Envelope> parse_envelope(std::string_view text);

// Compact JSON, published member order; `error` is always present, errorCode and hint only when
// they are set.
std::string to_json(const Envelope& envelope);

// Whether its status and every step are a success.
bool succeeded(const Envelope& envelope);

// Lookup and change of one data value.
const std::string* find_data(const StepData& data, std::string_view key);
void set_data(StepData& data, std::string_view key, std::string value);
// Returns the value and leaves it empty; the key keeps its place.
std::string take_data(StepData& data, std::string_view key);
void erase_data(StepData& data, std::string_view key);

}  // namespace clawperator
