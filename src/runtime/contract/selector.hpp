#pragma once
// Which node an action is about.

#include <nlohmann/json_fwd.hpp>

#include "base/prelude.hpp"

namespace clawperator {

// What the device's NodeMatcher asks of a node: equal strings, the role without regard to case,
// substrings too; every field that is given must hold.
struct NodeMatcher {
  std::optional<std::string> resource_id{}, role{}, text_equals{}, text_contains{},
      description_equals{}, description_contains{};

  bool operator==(const NodeMatcher&) const = default;
};

struct MatcherField {
  std::string_view name;  // as published
  std::optional<std::string> NodeMatcher::* field;
  std::string_view aliases;  // between blanks
};
// In schema order.
std::span<const MatcherField> matcher_fields();

// A matcher as a parameter.
struct Selector {
  NodeMatcher fields{};
  // The object that a caller wrote, aliases and faults included: it counts instead of the fields.
  // judge() reads it; an execution that was judged has none.
  std::shared_ptr<const nlohmann::ordered_json> as_given{};
  // JSON objects that the engine adds for apps that know them; empty: none.
  std::string ancestor{}, descendant{};

  bool operator==(const Selector&) const = default;
};

// The fields and what the engine has added, compact and in schema order.
std::string matcher_json(const Selector& selector);
// What it asks for: the app takes an empty text for none.
NodeMatcher wanted_by(const Selector& selector);

}  // namespace clawperator
