#pragma once
// Whether a run has proved what its skill.json declares. Pure.

#include <optional>
#include <string>
#include <vector>

#include "runtime/contract/json_document.hpp"
#include "skills/registry/manifest.hpp"

namespace clawperator::skills {

// What the caller asked for: the inputs of the contract, as the skill's arguments give them. By
// name `--percent 40` or `--percent=40` (`_` is `-` there; the last one counts), else, in the order
// of the names, the last words that are no options. The text of an object; an error says what
// cannot be trusted.
Result<std::string> trusted_inputs(const Contract& contract, const std::vector<std::string>& args);

// nullopt: it is proved. `result` is the frame's, if there is one.
std::optional<std::string> unproved_because(const Contract& contract,
                                            const std::vector<std::string>& args,
                                            const std::optional<Json>& result);

}  // namespace clawperator::skills
