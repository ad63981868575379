#pragma once
// The node that an action is for.

#include <nlohmann/json_fwd.hpp>

#include "base/prelude.hpp"

namespace clawperator {

// The conditions of the device's NodeMatcher: equal strings, the role without regard to case, also
// substrings; every given field must hold.
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
  // The object that a caller wrote, aliases and faults included; it counts in place of the fields.
  // judge() reads it; an execution that was validated has none.
  std::shared_ptr<const nlohmann::ordered_json> as_given{};
  // JSON objects that the engine adds for apps that know these fields; empty: none.
  std::string ancestor{}, descendant{};

  bool operator==(const Selector&) const = default;
};

// The fields and those that the engine has added, compact and in schema order.
std::string matcher_json(const Selector& selector);
// The matcher's conditions: the app ignores an empty text.
NodeMatcher wanted_by(const Selector& selector);

}  // namespace clawperator
