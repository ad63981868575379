#pragma once
// The parameters of actions: their values, and their names in schema order, which is also the order
// of serialisation. A parameter has the same type and limits in every action.

#include <algorithm>
#include <variant>

#include "runtime/contract/selector.hpp"

namespace clawperator {

struct ActionRow;

// A point of the screen as a caller wrote it: whole numbers from 0 on, without an upper limit.
struct Coordinate {
  double x = 0;
  double y = 0;

  bool operator==(const Coordinate&) const = default;
};

// How often the device searches for a node. The object is passed on unchanged; the members that the
// shell backend uses are read.
struct Retry {
  std::string json{};
  std::optional<double> max_attempts{}, initial_delay_ms{}, max_delay_ms{}, backoff_multiplier{};

  bool operator==(const Retry&) const = default;
};
// Tries for that long, at most four times a second and ten times in all; zero: one try. At most
// kLongestPatience.
Retry retry_for(std::chrono::milliseconds patience);
// The app tries ten times at most, and a node that comes later is for a wait.
inline constexpr std::chrono::milliseconds kLongestPatience{10'000};

enum class ParamKind { text, number, boolean, matcher, coordinate, object };

// In the order of ParamKind.
using ParamValue = std::variant<std::string, double, bool, Selector, Coordinate, Retry>;
// A parameter of one action; the first alternative: the action does not have it.
using ParamRef = std::variant<std::monostate, const std::string*, const double*, const bool*,
                              const Selector*, const Coordinate*, const Retry*>;

// The published limits of texts, in UTF-16 units; the Operator app refuses values beyond its own:
inline constexpr std::size_t kMaxMatcherValueLength = 512;
inline constexpr std::size_t kMaxUriLength = 2048;

struct ParamRow {
  std::string_view name;
  ParamKind kind{};
  std::string_view aliases{};  // between blanks; so below
  std::size_t max_length = 0;  // of a text; 0 is unbounded
  // The words that the app knows, in any case; it never answers a plan with another one. Empty: any
  // text.
  std::string_view choices{};
  std::string_view synonyms{};  // those of them that only repeat another one
  bool is_trimmed = false;      // the app does not know a padded word
  bool is_ours = false;         // not sent to the device
};

inline constexpr auto kParams = std::to_array<ParamRow>({
    {"applicationId", ParamKind::text,
     "application_id app_id appId app package package_id packageId"},
    {"sessionId", ParamKind::text, "session_id"},
    {.name = "uri", .kind = ParamKind::text, .aliases = "url", .max_length = kMaxUriLength},
    {"durationMs", ParamKind::number, "duration_ms"},
    {"path", ParamKind::text, "file filePath output_path"},
    {"matcher", ParamKind::matcher, "selector node element"},
    {"coordinate", ParamKind::coordinate},
    {.name = "text",
     .kind = ParamKind::text,
     .aliases = "value",
     .max_length = kMaxMatcherValueLength},
    {"submit", ParamKind::boolean},
    {"clear", ParamKind::boolean},
    {.name = "secret", .kind = ParamKind::boolean, .is_ours = true},
    {.name = "clickType",
     .kind = ParamKind::text,
     .aliases = "click_type longPress",
     .choices = "default click long_click longclick focus",
     .synonyms = "click longclick"},
    {"container", ParamKind::matcher, "within container_selector"},
    {.name = "direction",
     .kind = ParamKind::text,
     .choices = "down up left right",
     .is_trimmed = true},
    {"maxSwipes", ParamKind::number, "max_swipes"},
    {"distanceRatio", ParamKind::number, "distance_ratio"},
    {"settleDelayMs", ParamKind::number, "settle_delay_ms"},
    {"maxScrolls", ParamKind::number, "max_scrolls"},
    {"maxDurationMs", ParamKind::number, "max_duration_ms"},
    {"noPositionChangeThreshold", ParamKind::number, "no_position_change_threshold"},
    {"findFirstScrollableChild", ParamKind::boolean, "find_first_scrollable_child"},
    {"clickAfter", ParamKind::boolean, "click_after"},
    {.name = "validator", .kind = ParamKind::text, .choices = "temperature version regex"},
    {"validatorPattern", ParamKind::text, "validator_pattern"},
    {.name = "key", .kind = ParamKind::text, .choices = "back home recents", .is_trimmed = true},
    {"retry", ParamKind::object},
    {"scrollRetry", ParamKind::object},
    {"clickRetry", ParamKind::object},
    {.name = "expectedPackage",
     .kind = ParamKind::text,
     .aliases = "expected_package",
     .max_length = kMaxMatcherValueLength},
    {"expectedNode", ParamKind::matcher, "expected_node wait_for"},
    {"labelMatcher", ParamKind::matcher, "label_matcher label_selector"},
    {"timeoutMs", ParamKind::number, "timeout_ms"},
    {"all", ParamKind::boolean},
    {"strict", ParamKind::boolean},
});

// kParams.size() where there is none of that name.
constexpr std::size_t param_index(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kParams, name, &ParamRow::name) -
                                  kParams.begin());
}
constexpr const ParamRow* find_param_row(std::string_view name) {
  const std::size_t at = param_index(name);
  return at == kParams.size() ? nullptr : &kParams[at];
}

// "text", "number", "boolean", "matcher", "coordinate", "object".
std::string_view kind_name(ParamKind kind);

}  // namespace clawperator
