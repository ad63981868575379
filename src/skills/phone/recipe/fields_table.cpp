#include "skills/phone/recipe/fields_table.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/contract/execution.hpp"
#include "runtime/contract/operator_app.hpp"

namespace clawperator::recipe {
namespace {

bool is_version(std::string_view text) {
  const auto end = std::min(text.find_first_of("-+"), text.size());
  const auto parts = split(text.substr(0, end), '.');
  const auto is_number = [](std::string_view part) {
    return whole_number<std::uint32_t>(part) && (part == "0" || !part.starts_with('0'));
  };
  const std::string_view rest = text.substr(end);
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '-' || c == '+';
  };
  return parts.size() == 3 && std::ranges::all_of(parts, is_number) && rest.size() != 1 &&
         std::ranges::all_of(rest, fits);
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  return text.size() <= kMaxMatcherValueLength && is_letter(text[0]) &&
         std::ranges::all_of(text, fits);
}

bool is_step_id(std::string_view text) {
  // With the longest prefix of ours it is an id of the contract.
  constexpr std::size_t kLongest = 100;
  const auto fits = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; };
  const bool is_ours =
      text.starts_with(kConfirmId) || text.starts_with(kAfterId) || text.starts_with(kFreshId);
  return text.size() <= kLongest && is_letter(text[0]) && !is_ours &&
         std::ranges::all_of(text, fits);
}

bool is_recipe_id(std::string_view text) {
  constexpr std::size_t kLongest = 255;
  const auto fits = [](char c) {
    return is_letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  };
  return text.size() <= kLongest && std::ranges::all_of(text, fits);
}

// 2026-03-01, 2026-03-01T12:00:00Z, ...+01:00
bool is_moment(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd";
  constexpr std::size_t kDate = 10;
  const auto is_shaped = [&](std::string_view part) {
    return std::ranges::equal(part, kShape.substr(0, part.size()),
                              [](char c, char s) { return s == 'd' ? is_digit(c) : c == s; });
  };
  if (text.size() == kDate) return is_shaped(text);
  const std::string_view zone = text.substr(std::min(kShape.size(), text.size()));
  const bool is_offset = zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':';
  return text.size() > kShape.size() && is_shaped(text.substr(0, kShape.size())) &&
         (zone == "Z" || is_offset);
}

constexpr Form kVersionForm{R"(^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$)", "1.0.0", is_version};
constexpr Form kNameForm{"^[A-Za-z][A-Za-z0-9_]*$", "tile_name", is_name};
constexpr Form kRecipeIdForm{"^[A-Za-z0-9_.-]+$", "com.example.app.toggle-power", is_recipe_id};
constexpr Form kPackageForm{"^[A-Za-z0-9_.]+$", "com.example.app", is_package_name};
constexpr Form kMomentForm{R"(^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2}))?$)",
                           "2026-03-01", is_moment};
constexpr Form kStepIdForm{"^(?!confirm-|after-|fresh-)[A-Za-z][A-Za-z0-9_-]*$",
                           "scroll_devices; confirm-, after- and fresh- are ours", is_step_id};

using enum Shape;
using enum Need;

constexpr auto kAppBuild = std::to_array<Field>({
    {"version_name", text, "the app's version, as its store shows it", required},
    {"version_code", whole, "the app's version as a number", required},
});
constexpr auto kTestedOn = std::to_array<Field>({
    {.name = "android_api",
     .shape = whole,
     .meaning = "the API level",
     .need = required,
     .least = 1},
    {"device_model", text, "a model, never a device's own name", recommended},
    {"locale", text, "such as en-US", recommended},
    {"last_verified_at", text, "ISO 8601", recommended, {}, &kMomentForm},
});
constexpr auto kCompatibility = std::to_array<Field>({
    {"min_version_code", whole, "the oldest version of the app that it fits", recommended},
    {"max_version_code", whole, "the newest one", recommended},
});
constexpr auto kInput = std::to_array<Field>({
    {"name", text, "in steps it is ${inputs.NAME}", required, {}, &kNameForm},
    {"type", text, "of its value", required, "string number boolean"},
    {"required", boolean, "without a value nothing is compiled; default false", recommended},
    {"default", scalar, "its value if none is given; empty: none"},
    {"description", text, "for people and agents"},
});
constexpr auto kOutput = std::to_array<Field>({
    {"name", text, "of the result", required, {}, &kNameForm},
    {"type", text, "of its value", required, "string number boolean"},
    {"redaction", text, "how it is printed and logged; default mask for string, else none",
     recommended, "none hash mask drop"},
    {"step", text, "the read_text step whose text it is; default the step of its name"},
    {"description", text, "for people and agents"},
});

constexpr auto kFrontmatter = std::to_array<Field>({
    {"recipe_id", text, "unique among all recipes", required, {}, &kRecipeIdForm},
    {"recipe_version", text, "semver", required, {}, &kVersionForm},
    {"recipe_type", text, "probe reads once, flow has several steps, action changes something",
     required, "probe flow action"},
    {"application_id", text, "the app's package", required, {}, &kPackageForm},
    {"summary", text, "one line", required},
    {.name = "frameworks",
     .shape = texts,
     .meaning = "what the app's screens are made with",
     .need = required,
     .choices = "views compose react-native expo flutter webview hybrid unknown",
     .least = 1},
    {"session_policy", text, "fresh: the app is closed and opened first", required,
     "fresh resume_ok"},
    {"fresh_start_injected", boolean, "false: the recipe's own first steps close and open the app"},
    {.name = "app_build",
     .shape = object,
     .meaning = "what it was written for",
     .need = required,
     .inside = kAppBuild},
    {.name = "tested_on",
     .shape = object,
     .meaning = "where it was proved",
     .need = required,
     .inside = kTestedOn},
    {.name = "capabilities",
     .shape = texts,
     .meaning = "what it does, for a policy",
     .need = required,
     .choices = "observe navigate click long_click type_text toggle purchase_risk",
     .least = 1},
    {.name = "inputs",
     .shape = objects,
     .meaning = "its variables",
     .need = required,
     .inside = kInput},
    {.name = "outputs",
     .shape = objects,
     .meaning = "its results",
     .need = required,
     .inside = kOutput},
    {.name = "compatibility",
     .shape = object,
     .meaning = "versions of the app that it fits",
     .need = recommended,
     .inside = kCompatibility},
    {"known_quirks", texts, "how screens differ between users", recommended},
    {"failure_modes", texts, "how it can fail", recommended},
    {"maintainers", texts, "names of accounts, no addresses", recommended},
    {"tags", texts, "for a search", recommended},
    {"risk_level", text, "what a mistake costs", recommended, "low medium high"},
});

// A text of a selector as the execution's matcher has it; empty: no app has a field for it.
constexpr Field matcher_text(std::string_view name, std::string_view meaning,
                             std::string_view execution = {}) {
  return {.name = name,
          .shape = text,
          .meaning = meaning,
          .most = kMaxMatcherValueLength,
          .takes_inputs = true,
          .execution = execution};
}

constexpr auto kSelector = std::to_array<Field>({
    matcher_text("resource_id", "the node's resource id", "resourceId"),
    matcher_text("class", "the node's class; only `recipe run` can find it"),
    matcher_text("text_equals", "its whole text", "textEquals"),
    matcher_text("text_contains", "a part of its text", "textContains"),
    matcher_text("content_desc_contains", "a part of its description", "contentDescContains"),
    {"clickable", boolean, "only for `recipe run`"},
    {"enabled", boolean, "only for `recipe run`"},
    {"selected", boolean, "only for `recipe run`"},
    {"index_in_parent", whole, "counted from 0; discouraged; only for `recipe run`"},
    {.name = "any_of",
     .shape = selectors,
     .meaning = "one of these; only for `recipe run`",
     .least = 1},
    {.name = "all_of", .shape = selectors, .meaning = "each of these", .least = 1},
    {.name = "annotation",
     .shape = text,
     .meaning = "what its texts depend on; USER_SPECIFIC texts must be inputs",
     .choices = "STRUCTURAL VARIABLE USER_SPECIFIC DERIVED"},
});

constexpr auto kWait = std::to_array<Field>({
    {.name = "after_ms",
     .shape = whole,
     .meaning = "a pause behind the step",
     .need = required,
     .most = static_cast<std::int64_t>(kMaxTimeoutMs)},
});
constexpr auto kRetries = std::to_array<Field>({
    {.name = "count",
     .shape = whole,
     .meaning = "how often the app tries",
     .need = required,
     .least = 1,
     .most = 10},
});
constexpr auto kConfirm = std::to_array<Field>({
    {"selector", selector, "the node that proves the step", required},
    {"container", selector, "search only inside this node"},
    {"timeout_ms", whole, "how long to wait for it"},
});

constexpr Field kId{"id", text, "unique in the recipe", required, {}, &kStepIdForm};
constexpr Field kType{"type", text, "the action", required};
constexpr Field kSelectorField{"selector", selector, "the node", required};
constexpr Field kContainer{"container", selector, "search only inside this node"};
constexpr Field kWaitField{.name = "wait", .shape = object, .meaning = "a pause", .inside = kWait};
constexpr Field kRetriesField{
    .name = "retries", .shape = object, .meaning = "tries", .inside = kRetries};
constexpr Field kConfirmField{.name = "confirm",
                              .shape = object,
                              .meaning = "waits for a node behind the step",
                              .inside = kConfirm};

// snake_case: the first alias of a name with capitals.
std::string_view spelled(const ParamRow& row) {
  const bool is_plain = std::ranges::none_of(row.name, [](char c) { return lower_char(c) != c; });
  return is_plain ? row.name : row.aliases.substr(0, row.aliases.find(' '));
}

std::optional<Shape> shape_of(ParamKind kind) {
  switch (kind) {
    case ParamKind::text: return any_text;
    case ParamKind::number: return number;
    case ParamKind::boolean: return boolean;
    case ParamKind::matcher:  // selector and container
    case ParamKind::coordinate:
    case ParamKind::object: return std::nullopt;  // retries
  }
  return std::nullopt;
}

std::vector<Field> params_of(const ActionRow& row) {
  std::vector<Field> params;
  for (const ParamUse& use : row.documented()) {
    const ParamRow& param = kParams.at(use.row);
    const auto shape = shape_of(param.kind);
    if (!shape) continue;
    Field field{.name = spelled(param), .shape = *shape, .meaning = use.meaning};
    const bool is_app = param.name == "applicationId";  // the frontmatter has it
    if (use.need != clawperator::Need::none && !is_app) field.need = required;
    field.choices = param.choices;
    field.takes_inputs = param.name == "text";
    field.execution = param.name;
    params.push_back(field);
  }
  return params;
}

StepType step_type(ActionType action) {
  const ActionRow& row = row_of(action);
  const auto has = [&row](std::string_view name) { return row.find(param_index(name)) != nullptr; };
  StepType type{.action = action, .name = row.name, .params = params_of(row), .fields = {}};
  type.fields = {kId, kType};
  if (has("matcher")) type.fields.push_back(kSelectorField);
  if (has("container")) type.fields.push_back(kContainer);
  type.fields.push_back(kWaitField);
  if (has("retry")) type.fields.push_back(kRetriesField);
  type.fields.push_back(kConfirmField);
  const bool is_needed =
      std::ranges::find(type.params, required, &Field::need) != type.params.end();
  type.fields.push_back({.name = "params",
                         .shape = object,
                         .meaning = "the action's own parameters",
                         .need = is_needed ? required : optional,
                         .inside = type.params});
  return type;
}

std::vector<StepType> make_step_types() {
  std::vector<StepType> types;
  for (const ActionType action :
       {ActionType::open_app, ActionType::close_app, ActionType::wait_for_node, ActionType::click,
        ActionType::scroll_and_click, ActionType::read_text, ActionType::snapshot_ui,
        ActionType::sleep, ActionType::enter_text}) {
    types.push_back(step_type(action));
  }
  return types;
}

}  // namespace

std::span<const Field> frontmatter_fields() { return kFrontmatter; }
std::span<const Field> selector_fields() { return kSelector; }

std::span<const StepType> step_types() {
  static const std::vector<StepType> kTypes = make_step_types();
  return kTypes;
}

const StepType* find_step_type(std::string_view name) {
  const auto types = step_types();
  const auto found = std::ranges::find(types, name, &StepType::name);
  return found == types.end() ? nullptr : &*found;
}

const Field* find_field(std::span<const Field> fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace clawperator::recipe
