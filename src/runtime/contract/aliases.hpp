#pragma once
// Replaces other spellings of keys by the canonical ones, before anything is validated: at the top
// level, in each action's params, and in each matcher inside params. Values that are not plain
// objects stay unchanged; unknown keys stay, to be refused later.
// A canonical key beats its aliases; of several aliases the last one given counts, at the place of
// the first. `clickType: true` means "long_click".

#include "base/json_document.hpp"

namespace clawperator {

Json resolve_aliases(Json execution);
// The same for a matcher alone.
Json resolve_matcher_aliases(Json matcher);

}  // namespace clawperator
