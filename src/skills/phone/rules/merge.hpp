#pragma once
// Merges upstream's changes of the skills registry with the user's: by id, three ways.
//
//   base      upstream's registry at this checkout's last sync; empty if there was none
//   local     the checkout's registry, with the additions of `skills new` and the user
//   incoming  upstream's registry now
//
// An entry that only one side changed is taken from that side. One that both removed, or only
// upstream removed, is removed; one that the user removed comes back when upstream changed it. The
// order is upstream's; local-only entries follow, sorted by id. Of the members beside `skills`
// upstream's win where it changed them; the user's own stay. Unknown members are kept.

#include "base/error.hpp"

namespace clawperator::phone_skills {

struct RegistryMerge {
  std::string text{};                    // two spaces a level, a line feed at the end
  std::vector<std::string> conflicts{};  // ids that both sides changed; `text` is empty then
};

// Where one side is unchanged the other's text is kept byte by byte. `protocol` when `local` cannot
// be merged by id (no JSON, no skills, an id twice) and differs from both others.
Result<RegistryMerge> merge_registry(std::string_view base, std::string_view local,
                                     std::string_view incoming);

}  // namespace clawperator::phone_skills
