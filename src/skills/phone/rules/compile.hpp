#pragma once
// Makes an execution from an artifact, which is its template, and values for the placeholders. The
// same input gives the same bytes. Pure.
//
//   {"commandId":"{{COMMAND_ID}}","taskId":"{{TASK_ID}}",...,"textEquals":"{{TILE}}"}
//
// COMMAND_ID and TASK_ID default to cmd-H and task-H: H is the beginning of the SHA-256 of
// {"skillId","artifactName","vars"}, the vars as texts, sorted as JavaScript sorts names.

#include <set>

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

// As kMaxExecutionText: the result is parsed as an execution.
inline constexpr std::size_t kMaxArtifact = std::size_t{1} << 20;

struct ArtifactName {
  std::string bare{};  // without ".recipe.json"
  std::string path{};  // as the entry lists it
};
// artifact_not_found
Result<ArtifactName> find_artifact(const Skill& skill, const std::string& name);

// compile_vars_parse_failed; a blank text is {}.
Result<Json> parse_vars(std::string_view text);

// 12 hex digits.
std::string artifact_hash(std::string_view skill_id, std::string_view artifact, const Json& vars);

// Replaces the placeholders of `text`, once, each by its value as the inside of a JSON string: a
// value's own text is never a placeholder. compile_var_missing for the first without a value.
Result<std::string> substitute(std::string_view text, const Json& values);

// The issues of an execution that breaks the contract, each with `message` and `path`. False: there
// are none, and the error is all.
bool for_each_issue(const Error& error, const std::function<void(const Json& issue)>& take);

// The names of the placeholders in a template, each once.
std::set<std::string> placeholders_of(std::string_view text);

struct Artifact {
  std::string skill_id{};
  std::string name{};  // bare
  std::string text{};
};
// The execution's JSON, its mode "artifact_compiled". compile_var_missing,
// compile_validation_failed.
Result<std::string> compile_artifact(const Artifact& artifact, const Json& vars);

}  // namespace clawperator::phone_skills
