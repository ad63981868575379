#pragma once
// What a command names by what it was shown: `--ref HASH@n` or `--ref @n` for a node of an earlier
// snapshot, instead of a selector; `--id` as trees show ids; and `--nth`, by a tree that is read
// for it.

#include "cli/dispatch.hpp"
#include "cli/grammar/command.hpp"
#include "cli/selector.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/miss.hpp"

namespace clawperator::cli {

// nullopt without --ref. `family` is the one of the command's selector, which then must not be
// there.
Result<std::optional<act::Place>> read_ref(const Invocation& invocation, SelectorFamily family);
// For commands that know no points.
Result<std::optional<act::Selector>> read_ref_selector(const Invocation& invocation,
                                                       SelectorFamily family);

// nullopt without --nth; else looks at the device's screen for that many nodes of the selector.
// NODE_NOT_FOUND, USAGE.
Result<std::optional<act::NthPlace>> look_for_nth(const Invocation& invocation,
                                                  const act::Selector* selector);

// Looks at the device's screen: STALE_REF when it is no longer the one that `place` is a point of.
Result<void> check_ref_is_fresh(const Invocation& invocation, const act::Place& place);

}  // namespace clawperator::cli
