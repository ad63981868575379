#pragma once
// The vocabulary of an execution as data: action types, the parameters all of them share, matcher
// fields, and every accepted other spelling. Rows stand in schema order, which is also the order
// of serialisation. Adding an action: a row here, a rule in rules.cpp.

#include "base/prelude.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

// The published limits of an execution; the Operator app refuses or clamps what is beyond its own:
inline constexpr std::size_t kMaxActions = 50;
inline constexpr std::size_t kMaxIdLength = 128;  // lengths in UTF-16 units
inline constexpr std::size_t kMaxSourceLength = 64;
inline constexpr std::size_t kMaxTypeLength = 64;
inline constexpr std::size_t kMaxMatcherValueLength = 512;
inline constexpr std::size_t kMaxUriLength = 2048;
inline constexpr std::size_t kMaxPayloadBytes = 64000;
inline constexpr double kMinTimeoutMs = 1000;
inline constexpr double kMaxTimeoutMs = 120000;
inline constexpr std::string_view kExpectedFormat = "android-ui-automator";

enum class ParamKind { text, number, boolean, matcher, coordinate, object };

struct ParamRow {
  std::string_view name;
  ParamKind kind{};
  std::size_t max_length = 0;  // of a text; 0 is unbounded
  // The words that the app knows, in any case; it never answers for another one. None: any text.
  std::string_view choices{};
  bool is_trimmed = false;  // here, for the app knows no padded word
  bool is_ours = false;     // the device never sees it
};

struct AliasRow {
  std::string_view alias;
  std::string_view canonical;
};

std::string_view action_name(ActionType type);
// A step of this type changes nothing on the phone.
bool only_looks(ActionType type);

// Canonical name or alias, any case, surrounding white space ignored.
std::optional<ActionType> find_action(std::string_view spelling);

std::span<const ParamRow> param_table();
const ParamRow& param_row(std::string_view name);  // which there is
std::span<const std::string_view> matcher_fields();

std::span<const AliasRow> top_level_aliases();
std::span<const AliasRow> param_aliases();
std::span<const AliasRow> matcher_aliases();
std::span<const AliasRow> action_aliases();

}  // namespace clawperator
