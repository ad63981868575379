#pragma once
// The rules of a recipe, a code each. They are the faults of a report, too, which has their places.

#include "base/errc.hpp"

namespace base::errc {

// NOLINTBEGIN(readability-identifier-naming): they read like the enumerators that they stand for.
inline constexpr ErrorCode recipe_limit_exceeded{
    "RECIPE_LIMIT_EXCEEDED", 413,
    "A recipe is longer than 1 MiB, its YAML than 64 KiB, a folder has more than 10,000 recipes, "
    "or a file has more than 1,000 faults."};
inline constexpr ErrorCode recipe_yaml_invalid{
    "RECIPE_YAML_INVALID", 400,
    "A recipe has no frontmatter, or the frontmatter is no YAML mapping in UTF-8. Aliases are "
    "refused."};
inline constexpr ErrorCode recipe_field_missing{"RECIPE_FIELD_MISSING", 400,
                                                "A recipe lacks a required field."};
inline constexpr ErrorCode recipe_field_unknown{"RECIPE_FIELD_UNKNOWN", 400,
                                                "A recipe has a field that the format lacks."};
inline constexpr ErrorCode recipe_field_invalid{
    "RECIPE_FIELD_INVALID", 400, "A recipe's field has a value of another type, form or range."};
inline constexpr ErrorCode recipe_value_not_allowed{
    "RECIPE_VALUE_NOT_ALLOWED", 400,
    "A recipe's field has a word that is none of its words, as `recipe_type` and `frameworks`."};
inline constexpr ErrorCode recipe_session_policy_missing{"RECIPE_SESSION_POLICY_MISSING", 400,
                                                         "A recipe has no `session_policy`."};
inline constexpr ErrorCode recipe_fresh_start_missing{
    "RECIPE_FRESH_START_MISSING", 400,
    "`fresh_start_injected: false` requires that the recipe's own first steps close and open its "
    "app."};
inline constexpr ErrorCode recipe_step_block_invalid{
    "RECIPE_STEP_BLOCK_INVALID", 400,
    "A step has not exactly one ```yaml block with a YAML mapping, a block has no step, or there "
    "is no step."};
inline constexpr ErrorCode recipe_action_unsupported{"RECIPE_ACTION_UNSUPPORTED", 400,
                                                     "A step has a type that recipes do not have."};
inline constexpr ErrorCode recipe_selector_key_unknown{
    "RECIPE_SELECTOR_KEY_UNKNOWN", 400, "A selector has a key that the format lacks."};
inline constexpr ErrorCode recipe_selector_invalid{"RECIPE_SELECTOR_INVALID", 400,
                                                   "A selector has no condition."};
inline constexpr ErrorCode recipe_verification_missing{
    "RECIPE_VERIFICATION_MISSING", 400,
    "A step changes something, and neither its `confirm` nor a step before the next change "
    "verifies it."};
inline constexpr ErrorCode recipe_literal_found{
    "RECIPE_LITERAL_FOUND", 400,
    "A recipe contains a text of one user: a serial, an e-mail address, a phone number, a home "
    "folder, or a USER_SPECIFIC text without an input."};
inline constexpr ErrorCode recipe_input_undeclared{
    "RECIPE_INPUT_UNDECLARED", 400, "A placeholder names an input that the recipe does not have."};
inline constexpr ErrorCode recipe_placeholder_invalid{
    "RECIPE_PLACEHOLDER_INVALID", 400,
    "`${` begins no `${inputs.NAME}`, or stands where no placeholder may be."};
inline constexpr ErrorCode recipe_name_repeated{
    "RECIPE_NAME_REPEATED", 400,
    "Two steps, inputs or outputs of a recipe have the same name, or two recipes the same id."};
inline constexpr ErrorCode recipe_reference_invalid{
    "RECIPE_REFERENCE_INVALID", 400, "An output names a step that is no read_text of the recipe."};
inline constexpr ErrorCode recipe_probe_acts{
    "RECIPE_PROBE_ACTS", 400,
    "A recipe of type `probe` has a step, or a capability, that changes something."};
inline constexpr ErrorCode recipe_capability_undeclared{
    "RECIPE_CAPABILITY_UNDECLARED", 400,
    "A step needs a capability that the recipe does not declare."};
inline constexpr ErrorCode recipe_capability_unused{
    "RECIPE_CAPABILITY_UNUSED", 400, "A recipe declares a capability that none of its steps uses."};
inline constexpr ErrorCode recipe_risk_level_too_low{
    "RECIPE_RISK_LEVEL_TOO_LOW", 400,
    "A recipe with the capability `purchase_risk` has another `risk_level` than `high`."};
inline constexpr ErrorCode recipe_input_unused{
    "RECIPE_INPUT_UNUSED", 400, "A recipe declares an input that none of its steps uses."};
inline constexpr ErrorCode recipe_input_missing{
    "RECIPE_INPUT_MISSING", 400, "An input that is required, or used, has no value."};
inline constexpr ErrorCode recipe_input_invalid{
    "RECIPE_INPUT_INVALID", 400,
    "A value has another type than its input, is too long, or the recipe has no such input."};
inline constexpr ErrorCode recipe_selector_unsupported{
    "RECIPE_SELECTOR_UNSUPPORTED", 400,
    "The app's matcher has no field for a selector's key, or only one where `all_of` has two; an "
    "execution cannot have it."};
inline constexpr ErrorCode recipe_plan_invalid{
    "RECIPE_PLAN_INVALID", 400,
    "The compiled execution breaks the contract; the message is that of the contract."};
inline constexpr ErrorCode verify_failed{
    "VERIFY_FAILED", 409,
    "`recipe run`: a step was done, and the screen does not have what its `confirm`, or the wait "
    "or reading behind it, expects. `details` has the step, the steps that were `done`, the "
    "selector as `expected`, and what is near it."};
inline constexpr ErrorCode recipe_step_failed{
    "RECIPE_STEP_FAILED", 502,
    "`recipe run`: the phone could not do a step; `details.cause` has its code. The steps in "
    "`details.done` were done."};
inline constexpr ErrorCode recipe_output_invalid{
    "RECIPE_OUTPUT_INVALID", 422,
    "`recipe run`: every step was done, and a text that was read is no value of its output's "
    "type."};
// NOLINTEND(readability-identifier-naming)

}  // namespace base::errc

namespace clawperator {

inline constexpr const ErrorCode* kRecipeErrors[] = {&errc::recipe_limit_exceeded,
                                                     &errc::recipe_yaml_invalid,
                                                     &errc::recipe_field_missing,
                                                     &errc::recipe_field_unknown,
                                                     &errc::recipe_field_invalid,
                                                     &errc::recipe_value_not_allowed,
                                                     &errc::recipe_session_policy_missing,
                                                     &errc::recipe_fresh_start_missing,
                                                     &errc::recipe_step_block_invalid,
                                                     &errc::recipe_action_unsupported,
                                                     &errc::recipe_selector_key_unknown,
                                                     &errc::recipe_selector_invalid,
                                                     &errc::recipe_verification_missing,
                                                     &errc::recipe_literal_found,
                                                     &errc::recipe_input_undeclared,
                                                     &errc::recipe_placeholder_invalid,
                                                     &errc::recipe_name_repeated,
                                                     &errc::recipe_reference_invalid,
                                                     &errc::recipe_probe_acts,
                                                     &errc::recipe_capability_undeclared,
                                                     &errc::recipe_capability_unused,
                                                     &errc::recipe_risk_level_too_low,
                                                     &errc::recipe_input_unused,
                                                     &errc::recipe_input_missing,
                                                     &errc::recipe_input_invalid,
                                                     &errc::recipe_selector_unsupported,
                                                     &errc::recipe_plan_invalid,
                                                     &errc::verify_failed,
                                                     &errc::recipe_step_failed,
                                                     &errc::recipe_output_invalid};

}  // namespace clawperator
