#include "runtime/mcp/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/number.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::mcp {
namespace {

constexpr std::size_t kLongestTold = 64;

struct SelectorField {
  std::string_view name;
  std::optional<std::string> NodeMatcher::* field;
};

constexpr SelectorField kSelectorFields[] = {
    {"id", &NodeMatcher::resource_id},
    {"text", &NodeMatcher::text_equals},
    {"text_contains", &NodeMatcher::text_contains},
    {"description", &NodeMatcher::description_equals},
    {"description_contains", &NodeMatcher::description_contains},
    {"role", &NodeMatcher::role},
};

std::vector<std::string> texts_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

std::string schema_of(const Property& property) {
  JsonObject schema;
  constexpr std::string_view kNames[] = {"string", "integer", "boolean",
                                         "object", "array",   "array"};
  schema.text("type", kNames[static_cast<std::size_t>(property.type)]);
  if (!property.choices.empty()) schema.strings("enum", texts_of(property.choices));
  if (property.type == Type::selector) {
    schema.json("additionalProperties", R"({"type":"string"})");
  }
  if (property.type == Type::steps) schema.json("items", R"({"type":"object"})");
  if (property.type == Type::texts) schema.json("items", R"({"type":"string"})");
  if (!property.meaning.empty()) schema.text("description", property.meaning);
  return schema.str();
}

std::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
  return fail(errc::usage, "argument '" + std::string(name) + "' must be " + std::string(wanted));
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  const std::string* text = string_value(&value);
  const auto number = text ? whole_number<int>(*text) : std::nullopt;
  if (!number) return std::nullopt;
  return *number;
}

std::optional<bool> boolean_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  const std::string* text = string_value(&value);
  if (text && (*text == "true" || *text == "false")) return *text == "true";
  return std::nullopt;
}

Result<void> check_choice(const Property& property, const std::string& text) {
  if (property.choices.empty()) return ok();
  if (std::ranges::find(property.choices, text) != property.choices.end()) return ok();
  std::string list;
  for (const std::string_view word : property.choices) {
    list.append(list.empty() ? "" : ", ").append(word);
  }
  return wrong(property.name, "one of " + list);
}

// What an argument is, once its type is right.
Result<Json> typed(const Property& property, const Json& value) {
  switch (property.type) {
    case Type::text: {
      const std::string* text = string_value(&value);
      if (!text) return wrong(property.name, "a text");
      TRY_VOID(check_choice(property, *text));
      return value;
    }
    case Type::whole: {
      const auto number = number_of(value);
      if (!number || *number != std::floor(*number)) return wrong(property.name, "a whole number");
      return Json(*number);
    }
    case Type::boolean: {
      const auto told = boolean_of(value);
      if (!told) return wrong(property.name, "true or false");
      return Json(*told);
    }
    case Type::selector:
      if (!value.is_object()) return wrong(property.name, "an object");
      return value;
    case Type::steps:
      if (!value.is_array()) return wrong(property.name, "an array of actions");
      return value;
    case Type::texts:
      if (!value.is_array() || !std::ranges::all_of(value, &Json::is_string)) {
        return wrong(property.name, "an array of texts");
      }
      return value;
  }
  std::unreachable();
}

std::string names_of(std::span<const Property> properties) {
  std::string list;
  for (const Property& property : properties) {
    list += (list.empty() ? "" : ", ") + std::string(property.name);
  }
  return list.empty() ? "none" : list;
}

}  // namespace

std::string input_schema(std::span<const Property> properties) {
  JsonObject members;
  std::vector<std::string> required;
  for (const Property& property : properties) {
    members.json(property.name, schema_of(property));
    if (property.required) required.emplace_back(property.name);
  }
  JsonObject schema;
  schema.text("type", "object");
  if (!members.empty()) schema.object("properties", members);
  if (!required.empty()) schema.strings("required", required);
  return schema.boolean("additionalProperties", false).str();
}

Result<Arguments> Arguments::read(const Json* given, std::span<const Property> properties) {
  Json members = Json::object();
  if (given && !given->is_null()) {
    if (!given->is_object()) return fail(errc::usage, "arguments must be an object");
    for (const auto& [name, value] : given->get_ref<const Json::object_t&>()) {
      if (value.is_null()) continue;  // how some hosts spell what is absent
      const auto property = std::ranges::find(properties, name, &Property::name);
      if (property == properties.end()) {
        return fail(errc::usage, "there is no argument '" + name.substr(0, kLongestTold) +
                                     "'; known are: " + names_of(properties));
      }
      TRY(members[name], typed(*property, value));
    }
  }
  for (const Property& property : properties) {
    if (property.required && !members.contains(property.name)) {
      return fail(errc::usage, "argument '" + std::string(property.name) + "' is missing");
    }
  }
  return Arguments(std::make_shared<const Json>(std::move(members)));
}

bool Arguments::has(std::string_view name) const { return find_member(*members_, name) != nullptr; }

std::optional<std::string> Arguments::text(std::string_view name) const {
  const std::string* text = string_value(find_member(*members_, name));
  return text ? std::optional(*text) : std::nullopt;
}

bool Arguments::flag(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value && value->is_boolean() && value->get<bool>();
}

Result<std::optional<int>> Arguments::whole(std::string_view name, int low, int high) const {
  const Json* value = find_member(*members_, name);
  if (!value) return std::nullopt;
  const double number = value->get<double>();
  if (number >= low && number <= high) return static_cast<int>(number);
  return wrong(name, "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
}

Result<std::optional<NodeMatcher>> Arguments::selector(std::string_view name) const {
  const Json* given = find_member(*members_, name);
  if (!given) return std::nullopt;
  NodeMatcher matcher;
  for (const auto& [field, value] : given->get_ref<const Json::object_t&>()) {
    const auto known = std::ranges::find(kSelectorFields, field, &SelectorField::name);
    const std::string* text = string_value(&value);
    if (known == std::end(kSelectorFields) || !text || is_blank(*text)) {
      return wrong(name,
                   "an object of id, text, text_contains, description, "
                   "description_contains, role, each a text that is not blank");
    }
    matcher.*(known->field) = *text;
  }
  if (matcher == NodeMatcher{}) return wrong(name, "an object with at least one member");
  return matcher;
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value ? value->get<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string Arguments::json(std::string_view name) const {
  const Json* value = find_member(*members_, name);
  return value ? write_json(*value) : "";
}

}  // namespace clawperator::mcp
