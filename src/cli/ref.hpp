#pragma once
// `--ref HASH@n` or `--ref @n`: a node of an earlier snapshot, instead of a selector.

#include "cli/dispatch.hpp"
#include "cli/grammar/command.hpp"
#include "cli/selector.hpp"
#include "runtime/act/action.hpp"

namespace clawperator::cli {

// `@n` becomes HASH@n of the snapshot that was shown last, and the command is then for its device,
// which is that one where none is named. Where nothing was shown it stays as it is.
Invocation with_whole_ref(Invocation invocation);

// A Command::run made of what a command asks that has --ref.
template <auto ask>
Result<Answer> run_verb_with_ref(const Invocation& invocation) {
  return run_verb<ask>(with_whole_ref(invocation));
}

// nullopt without --ref. `family` is the one of the command's selector, which then must not be
// there.
Result<std::optional<act::Place>> read_ref(const Invocation& invocation, SelectorFamily family);
// For commands that know no points.
Result<std::optional<act::Selector>> read_ref_selector(const Invocation& invocation,
                                                       SelectorFamily family);

// Looks at the device's screen: STALE_REF when it is no longer the one that `place` is a point of.
Result<void> check_ref_is_fresh(const Invocation& invocation, const act::Place& place);

}  // namespace clawperator::cli
