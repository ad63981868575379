#pragma once
// Which skills fit what somebody looks for. Pure.

#include <optional>
#include <string>
#include <vector>

#include "skills/registry/registry.hpp"

namespace clawperator::skills {

struct Query {
  std::optional<std::string> app{};     // applicationId, exactly
  std::optional<std::string> intent{};  // exactly
  std::optional<std::string> keyword{};
};

// What fits all that is asked. With a keyword the best come first:
//
//   600  it is one of keywords[]                    400  it is part of one of keywords[]
//   550  its words are all in one of keywords[]     300  it is part of id or applicationId
//   500  it is id or applicationId                  100  it is part of summary
//   450  its words are all in id or applicationId
//
// Those of equal rank stay in the registry's order; a blank keyword asks for nothing. Letters are
// ASCII's, and words are what stands between other characters than letters and digits.
std::vector<const Skill*> search(const Registry& registry, const Query& query);

}  // namespace clawperator::skills
