#pragma once
// A selector as a caller writes it: a whole matcher object, which the contract judges.

#include "base/error.hpp"
#include "runtime/contract/selector.hpp"

namespace clawperator::act {

using clawperator::Selector;

// The fault begins with `name`, which says where the text comes from.
Result<Selector> read_selector(std::string_view text, std::string_view name);

}  // namespace clawperator::act
