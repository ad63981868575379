#pragma once
// A selector as a caller writes it: a whole matcher object, which the contract judges.

#include <array>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "runtime/contract/selector.hpp"

namespace clawperator::act {

using clawperator::Selector;

// The error begins with `name`, which names the text's source.
Result<Selector> read_selector(std::string_view text, std::string_view name);

// The short names that tools and documents use; the contract's own are read, too.
inline constexpr auto kMatcherNames = std::to_array<std::string_view>(
    {"id", "text", "text_contains", "description", "description_contains", "role"});

// A model's selector: an object of at least one field, by its short name (`id`, `text`) or that of
// the contract. The error names the field as `where`.field.
Result<NodeMatcher> read_matcher(const Json& given, const std::string& where);

}  // namespace clawperator::act
