#include "runtime/mcp/input_schema.hpp"

#include <algorithm>
#include <functional>

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/act/selector.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {
namespace {

// What the schema of a plan contains of each step; the rest is accepted as well. A model finds it
// in the schema of the tool itself.
constexpr std::string_view kOfStep[] = {"ref",     "selector", "text",      "key",
                                        "package", "url",      "direction", "mode"};

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

JsonObject step_schema() {
  JsonObject selector;
  selector.object("text", typed_schema("string"));
  JsonObject steps;
  for (const ToolRow& tool : tool_table()) {
    if (!tool.is_step) continue;
    JsonObject arguments;
    for (const Property& property : tool.properties) {
      if (std::ranges::count(kOfStep, property.name) == 0) continue;
      const bool is_text = property.type == Type::text;
      arguments.object(property.name, is_text ? typed_schema("string") : object_schema(selector));
    }
    steps.object(tool.name, object_schema(arguments));
  }
  return object_schema(steps);
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
    case Type::selector: return object_of(act::kMatcherNames, std::identity(), "string");
    case Type::steps: return typed_schema("array");
    case Type::calls: return array_schema(step_schema()).number("maxItems", kMaxActions);
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
    if (!property.is_listed) continue;
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
