#pragma once
// One row for each kind of action: everything about it except its members. Each kind has its own as
// `kRow`. docs/internals/architecture.md, "What one change touches", lists what a new one needs.

#include "runtime/contract/action.hpp"
#include "runtime/contract/rules.hpp"

namespace clawperator {

// Whether a kind requires a parameter.
enum class Need : std::uint8_t {
  none,
  given,  // a text that is not blank, or a matcher
  ruled,  // required by the kind's own rule (ActionRow::check)
};
// A parameter as one kind uses it.
struct ParamUse {
  std::size_t row = 0;         // of kParams
  std::string_view meaning{};  // for people and models; empty: accepted, but not documented
  Need need{};
  ParamRef (*get)(const Action&) = nullptr;
  void (*set)(Action&, ParamValue) = nullptr;

  [[nodiscard]] constexpr std::string_view name() const { return kParams.at(row).name; }
};

// The names and time limits of our own executions with the action.
enum class Manner {
  direct,  // "mode":"direct"; a caller's timeout replaces the judged one (override_timeout)
  brief,   // no "mode", and ids without a random part; a caller's timeout as for `direct`
  plain,   // a caller's timeout is validated with the rest
};
struct OwnExecution {
  Manner manner{};
  std::string_view name;         // of the command's id
  std::string_view step = "a1";  // its id
  std::string_view task{};       // its id; empty: the command's
  double timeout_ms = 30000;
  std::string_view source = "clawperator-cli";
};
inline constexpr std::string_view kActs = "clawperator-action";
inline constexpr std::string_view kObserves = "clawperator-observe";

struct ActionRow {
  std::string_view name;
  std::string_view aliases{};          // between blanks
  std::string_view summary{};          // empty: used by this program only, and refused from callers
  std::span<const ParamUse> params{};  // the documented ones first
  void (*check)(const Action&, const Rules&) = nullptr;  // rules beyond lengths and types
  OwnExecution own{};
  bool only_looks = false;   // it changes nothing on the phone
  std::string_view lasts{};  // the parameter with its duration in milliseconds

  [[nodiscard]] const ParamUse* find(std::size_t row) const;  // null: not a parameter of this kind
  [[nodiscard]] std::span<const ParamUse> documented() const;
};

const ActionRow& row_of(ActionType type);
// The rows of the actions that an execution may have, in the order of ActionType.
std::span<const ActionRow* const> action_rows();

namespace rows {

template <class Value>
struct ValueOf {
  using Type = Value;
};
template <class Value>
struct ValueOf<std::optional<Value>> {
  using Type = Value;
};

template <class Value, std::size_t... kind>
constexpr std::size_t kind_of(std::index_sequence<kind...>) {
  return ((std::is_same_v<Value, std::variant_alternative_t<kind, ParamValue>> ? kind : 0) + ...);
}

template <class Kind, auto member>
ParamRef get(const Action& action) {
  const auto& value = std::get<Kind>(action.kind).*member;
  if (!value) return {};
  if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, bool>) {
    return &value;
  } else {
    return &*value;
  }
}

// The parameter `name` is that member; a plain bool is one that is absent while it is false.
template <class Kind, auto member>
consteval ParamUse use(std::string_view name, std::string_view meaning = {},
                       Need need = Need::none) {
  using Value = typename ValueOf<std::remove_cvref_t<decltype(std::declval<Kind>().*member)>>::Type;
  constexpr std::size_t kKind =
      kind_of<Value>(std::make_index_sequence<std::variant_size_v<ParamValue>>());
  const std::size_t row = param_index(name);
  if (static_cast<std::size_t>(kParams.at(row).kind) != kKind) throw "it has another type";
  return {row, meaning, need, get<Kind, member>, [](Action& action, ParamValue value) {
            std::get<Kind>(action.kind).*member = std::get<Value>(std::move(value));
          }};
}

template <class Kind, void (*rule)(const Kind&, const Rules&)>
void check(const Action& action, const Rules& rules) {
  rule(std::get<Kind>(action.kind), rules);
}

// Parameters that mean the same in several kinds.
template <class Kind>
constexpr ParamUse kMatcher =
    use<Kind, &Kind::matcher>("matcher", "the node; all given fields must match", Need::given);
template <class Kind>
constexpr ParamUse kRetry =
    use<Kind, &Kind::retry>("retry",
                            "{maxAttempts, initialDelayMs, maxDelayMs, backoffMultiplier, "
                            "jitterRatio}; by default the app tries five times");
template <class Kind>
constexpr ParamUse kStrict =
    use<Kind, &Kind::strict>("strict", "act only if exactly one node matches; needs app 0.10");
template <class Kind>
constexpr ParamUse kClickType =
    use<Kind, &Kind::click_type>("clickType", "default, long_click or focus");

}  // namespace rows
}  // namespace clawperator
