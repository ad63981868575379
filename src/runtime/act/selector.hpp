#pragma once
// A selector as a caller writes it: a whole matcher object, which the contract judges.

#include "base/error.hpp"
#include "runtime/contract/selector.hpp"

namespace clawperator::act {

using clawperator::Selector;

// The error begins with `name`, which names the text's source.
Result<Selector> read_selector(std::string_view text, std::string_view name);

}  // namespace clawperator::act
