#pragma once
// One YAML 1.2 document (core schema) as JSON, by libfyaml, which is loaded with the first one.

#include <string_view>

#include "base/error.hpp"
#include "runtime/contract/json_document.hpp"

namespace clawperator::agent_skills {

inline constexpr std::size_t kMaxYaml = 64 << 10;

// `protocol`: "line 2, column 5: ...", counted in the file; `limit`: too large, too deep, or
// aliases that grow too much. A name is a text whatever it looks like; of plain scalars those that
// look like null, true, a number are. Duplicate names are an error.
Result<Json> read_yaml(std::string_view text);

}  // namespace clawperator::agent_skills
