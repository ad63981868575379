#include "runtime/mcp/input_schema.hpp"

#include <algorithm>
#include <functional>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator::mcp {
namespace {

// The parameters of actions that the schema contains. Others are accepted as well.
constexpr std::string_view kStepParams[] = {
    "applicationId", "uri",       "matcher",    "coordinate", "text", "submit",
    "timeoutMs",     "direction", "durationMs", "clickType",  "key",  "expectedPackage"};

JsonObject typed_schema(std::string_view type) { return JsonObject().text("type", type); }

JsonObject object_schema(const JsonObject& members) {
  return typed_schema("object").object("properties", members);
}

JsonObject array_schema(const JsonObject& items) {
  return typed_schema("array").object("items", items);
}

JsonObject text_schema(std::span<const std::string_view> choices, std::size_t longest = 0) {
  JsonObject schema = typed_schema("string");
  if (!choices.empty()) {
    schema.strings("enum", std::vector<std::string>(choices.begin(), choices.end()));
  }
  if (longest > 0) schema.number("maxLength", static_cast<std::int64_t>(longest));
  return schema;
}

template <class Range, class Projection>
JsonObject object_of(const Range& names, Projection name_of, std::string_view type) {
  JsonObject members;
  for (const auto& each : names) members.object(std::invoke(name_of, each), typed_schema(type));
  return object_schema(members);
}

JsonObject param_schema(std::string_view name) {
  const ParamRow& row = *find_param_row(name);
  std::vector<std::string_view> choices;
  if (!row.choices.empty()) choices = split(row.choices, ' ');
  std::erase_if(choices, [&](std::string_view word) { return is_one_of(word, row.synonyms); });
  switch (row.kind) {
    case ParamKind::text: return text_schema(choices, row.max_length);
    case ParamKind::number: return typed_schema("number");
    case ParamKind::boolean: return typed_schema("boolean");
    case ParamKind::matcher: return object_of(matcher_fields(), &MatcherField::name, "string");
    case ParamKind::coordinate:
    case ParamKind::object: break;
  }
  return object_of(std::array<std::string_view, 2>{"x", "y"}, std::identity{}, "number");
}

JsonObject step_schema() {
  JsonObject params;
  for (const std::string_view name : kStepParams) params.object(name, param_schema(name));
  std::vector<std::string_view> types;
  for (const ActionRow* row : action_rows()) types.push_back(row->name);
  JsonObject members;
  members.object("id", typed_schema("string")).object("type", text_schema(types));
  members.object("params", object_schema(params));
  return object_schema(members).strings("required", std::vector<std::string>{"id", "type"});
}

// As short as it can be for those who refuse objects without properties; the rest is in the words.
JsonObject conditions_schema() {
  const JsonObject text = JsonObject().object("text", typed_schema("string"));
  const JsonObject selector = JsonObject().object("selector", object_schema(text));
  return array_schema(object_schema(selector));
}

JsonObject whole_schema(const Property& property) {
  return typed_schema("integer").number("minimum", property.least).number("maximum", property.most);
}

JsonObject schema_of(const Property& property) {
  switch (property.type) {
    case Type::text: return text_schema(property.choices, static_cast<std::size_t>(property.most));
    case Type::whole: return whole_schema(property);
    case Type::boolean: return typed_schema("boolean");
    case Type::selector: return object_of(selector_fields(), &SelectorField::name, "string");
    case Type::steps: return array_schema(step_schema()).number("maxItems", kMaxActions);
    case Type::texts: return array_schema(typed_schema("string"));
    case Type::conditions: return conditions_schema();
  }
  std::unreachable();
}

}  // namespace

std::string input_schema(std::span<const Property> properties) {
  JsonObject members;
  std::vector<std::string> required;
  for (const Property& property : properties) {
    JsonObject schema = schema_of(property);
    if (!property.meaning.empty()) schema.text("description", property.meaning);
    members.object(property.name, schema);
    if (property.required) required.emplace_back(property.name);
  }
  JsonObject schema = object_schema(members);
  if (!required.empty()) schema.strings("required", required);
  return schema.str();
}

}  // namespace clawperator::mcp
