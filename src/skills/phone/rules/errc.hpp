#pragma once
// The errors of a skill, its registry, or its run.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode registry_read_failed{
    "REGISTRY_READ_FAILED", 500,
    "The skills registry, or a file that it names, is missing or cannot be read; the message "
    "says which, and what to set or run."};
inline constexpr ErrorCode skill_not_found{"SKILL_NOT_FOUND", 404,
                                           "The registry has no skill of that id."};
inline constexpr ErrorCode skill_script_not_found{
    "SKILL_SCRIPT_NOT_FOUND", 400,
    "The skill has no script, its script is missing, or the program that runs it (`node`) is."};
inline constexpr ErrorCode skill_validation_failed{
    "SKILL_VALIDATION_FAILED", 400,
    "A skill's files, its registry entry or a compiled payload break the rules; nothing was "
    "run. `details`: skillJsonPath, missingFields, missingFiles, mismatchFields, artifact, "
    "reason."};
inline constexpr ErrorCode skill_execution_failed{
    "SKILL_EXECUTION_FAILED", 400,
    "The skill's script ended with an error, or could not be started: skillId, exitCode, "
    "stdout, stderr, skillResult."};
inline constexpr ErrorCode skill_execution_timeout{
    "SKILL_EXECUTION_TIMEOUT", 400,
    "The skill's script was stopped at the time limit; what it had begun on the device may "
    "have been done. stdout and stderr hold what it had printed."};
inline constexpr ErrorCode skill_output_assertion_failed{
    "SKILL_OUTPUT_ASSERTION_FAILED", 400,
    "The script ended well, but its output lacks the text that `--expect-contains` names."};
inline constexpr ErrorCode skill_result_parse_failed{
    "SKILL_RESULT_PARSE_FAILED", 400,
    "The script's SkillResult frame breaks the rules; the message names the first."};
inline constexpr ErrorCode skill_verification_indeterminate{
    "SKILL_VERIFICATION_INDETERMINATE", 200,
    "The script ended well, but did not prove what its skill.json declares. `status` is "
    "`indeterminate`."};
inline constexpr ErrorCode skill_agent_cli_unavailable{
    "SKILL_AGENT_CLI_UNAVAILABLE", 400,
    "The agent program that the skill declares is not there; nothing was run."};
inline constexpr ErrorCode artifact_not_found{
    "ARTIFACT_NOT_FOUND", 404,
    "The skill has no artifact of that name. `details`: skillId, artifactName."};
inline constexpr ErrorCode compile_vars_parse_failed{
    "COMPILE_VARS_PARSE_FAILED", 400,
    "`--vars` is no JSON object. `details.varsJson` is the given text."};
inline constexpr ErrorCode compile_var_missing{
    "COMPILE_VAR_MISSING", 400,
    "The artifact has a placeholder without a value. `details`: placeholder, skillId, "
    "artifactName."};
inline constexpr ErrorCode compile_validation_failed{
    "COMPILE_VALIDATION_FAILED", 400,
    "The compiled artifact is no valid execution. `details`: skillId, artifactName."};
inline constexpr ErrorCode skill_id_invalid{
    "SKILL_ID_INVALID", 400,
    "An id for a new skill is an app's package, a dot and an intent; nothing was written."};
inline constexpr ErrorCode skill_already_exists{
    "SKILL_ALREADY_EXISTS", 409,
    "The registry or its folder has a skill of that id; nothing was written."};
inline constexpr ErrorCode skills_scaffold_failed{
    "SKILLS_SCAFFOLD_FAILED", 500,
    "A new skill's files could not be written; written files were removed again."};
inline constexpr ErrorCode skills_index_stale{
    "SKILLS_INDEX_STALE", 409,
    "The registry breaks its schema, or the generated indexes are not those of the registry. "
    "`details.problems` lists the problems."};
inline constexpr ErrorCode skills_sync_failed{
    "SKILLS_SYNC_FAILED", 500,
    "The skills could not be fetched or brought up to date; the message says why. The checkout "
    "is as it was. `details.conflicts` names files with local changes that would be "
    "overwritten."};
inline constexpr ErrorCode skills_git_not_found{
    "SKILLS_GIT_NOT_FOUND", 500,
    "Not used: git is a library here. The code stays because it was published."};
inline constexpr ErrorCode invalid_args{"INVALID_ARGS", 400, "`args` of a request is no array."};
inline constexpr ErrorCode invalid_timeout_ms{
    "INVALID_TIMEOUT_MS", 400, "`timeoutMs` of a request is no positive whole number."};
inline constexpr ErrorCode invalid_expect_contains{"INVALID_EXPECT_CONTAINS", 400,
                                                   "`expectContains` of a request is no text."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kSkillErrors[] = {&errc::registry_read_failed,
                                                    &errc::skill_not_found,
                                                    &errc::skill_script_not_found,
                                                    &errc::skill_validation_failed,
                                                    &errc::skill_execution_failed,
                                                    &errc::skill_execution_timeout,
                                                    &errc::skill_output_assertion_failed,
                                                    &errc::skill_result_parse_failed,
                                                    &errc::skill_verification_indeterminate,
                                                    &errc::skill_agent_cli_unavailable,
                                                    &errc::artifact_not_found,
                                                    &errc::compile_vars_parse_failed,
                                                    &errc::compile_var_missing,
                                                    &errc::compile_validation_failed,
                                                    &errc::skill_id_invalid,
                                                    &errc::skill_already_exists,
                                                    &errc::skills_scaffold_failed,
                                                    &errc::skills_index_stale,
                                                    &errc::skills_sync_failed,
                                                    &errc::skills_git_not_found,
                                                    &errc::invalid_args,
                                                    &errc::invalid_timeout_ms,
                                                    &errc::invalid_expect_contains};

}  // namespace clawperator
