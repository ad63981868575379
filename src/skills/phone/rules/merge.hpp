#pragma once
// The registry of skills when upstream's changes meet the user's: merged by id, three ways.
//
//   base      what upstream had when this checkout was synced last; empty if it was never
//   local     what lies in the checkout, with what `skills new` and its user added
//   incoming  what upstream has now
//
// An entry that only one side changed is taken from that side; one that both removed or only
// upstream removed goes; one that the user removed comes back when upstream changed it. The order
// is upstream's; local-only entries follow, sorted by id. Of the members beside `skills` upstream's
// win where it changed them; those that only the user has stay. Members that nobody knows are kept.

#include "base/error.hpp"

namespace clawperator::phone_skills {

struct RegistryMerge {
  std::string text{};                    // two spaces a level, a line feed at the end
  std::vector<std::string> conflicts{};  // ids that both sides changed; `text` is empty then
};

// Where a side is untouched the other's text is kept byte by byte. `protocol` when `local` cannot
// be merged by id (no JSON, no skills, an id twice) and differs from both others.
Result<RegistryMerge> merge_registry(std::string_view base, std::string_view local,
                                     std::string_view incoming);

}  // namespace clawperator::phone_skills
