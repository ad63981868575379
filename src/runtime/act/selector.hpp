#pragma once
// Which node an action is about: the fields that all of it must fulfil, or the object that a caller
// wrote instead, aliases and faults included, which the contract judges.

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "runtime/ui/refs.hpp"

namespace clawperator::act {

struct Selector {
  NodeMatcher fields{};
  std::shared_ptr<const nlohmann::ordered_json> as_given{};  // counts instead of the fields
};

// The fault begins with `name`, which says where the text comes from.
Result<Selector> read_selector(std::string_view text, std::string_view name);

// The matcher object of an execution.
nlohmann::ordered_json to_document(const Selector& selector);

}  // namespace clawperator::act
