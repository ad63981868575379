#pragma once
// `--ref HASH@n`: a node of an earlier snapshot becomes the flags it stands for.
//
//   held snapshot -> node n -> a matcher only it fulfils   -> --selector <matcher>
//                              else, click only, and only
//                              while the screen has HASH   -> --coordinate x y
//                              else STALE_REF, and nothing is dispatched

#include "cli/dispatch.hpp"
#include "cli/selector.hpp"

namespace clawperator::cli {

// The invocation without --ref. May look at the device's screen.
Result<Invocation> replace_ref(Invocation invocation, SelectorFamily family);

// run_drafted for commands that have --ref. `family` is the one of their selector.
template <Result<Draft> (*make_draft)(const Invocation&),
          SelectorFamily family = SelectorFamily::node>
Result<Answer> run_with_ref(const Invocation& invocation) {
  if (!invocation.arguments.has("--ref")) return run_drafted<make_draft>(invocation);
  TRY(const Invocation plain, replace_ref(invocation, family));
  return run_drafted<make_draft>(plain);
}

}  // namespace clawperator::cli
