#include "skills/phone/recipe/json_schema.hpp"

#include <algorithm>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "skills/phone/recipe/fields_table.hpp"

namespace clawperator::recipe {
namespace {

std::vector<std::string> words_of(std::string_view list) {
  std::vector<std::string> words;
  for (const std::string_view word : split(list, ' ')) words.emplace_back(word);
  return words;
}

JsonObject object_schema(std::span<const Field> fields);

JsonObject reference(std::string_view name) {
  return JsonObject().text("$ref", "#/$defs/" + std::string(name));
}

void add_text(const Field& field, JsonObject* json) {
  json->text("type", "string");
  if (!field.choices.empty()) json->strings("enum", words_of(field.choices));
  if (field.form != nullptr) json->text("pattern", field.form->pattern);
  if (field.shape != Shape::any_text && field.choices.empty()) json->number("minLength", 1);
  if (field.most != Field().most) json->number("maxLength", field.most);
}

void add_list(const Field& field, const JsonObject& item, JsonObject* json) {
  json->text("type", "array");
  if (field.least > 0) json->number("minItems", field.least);
  json->object("items", item);
}

JsonObject field_schema(const Field& field) {
  JsonObject json;
  JsonObject item;
  json.text("description",
            (field.need == Need::recommended ? "Recommended: " : "") + std::string(field.meaning));
  switch (field.shape) {
    case Shape::text:
    case Shape::any_text: add_text(field, &json); break;
    case Shape::whole:
      json.text("type", "integer").number("minimum", field.least).number("maximum", field.most);
      break;
    case Shape::number: json.text("type", "number"); break;
    case Shape::boolean: json.text("type", "boolean"); break;
    case Shape::scalar: json.strings("type", words_of("string number boolean null")); break;
    case Shape::texts:
      add_text(field, &item);
      add_list(field, item, &json);
      break;
    case Shape::object: json.append(object_schema(field.inside)); break;
    case Shape::objects: add_list(field, object_schema(field.inside), &json); break;
    case Shape::selector: json.append(reference("selector")); break;
    case Shape::selectors: add_list(field, reference("selector"), &json); break;
  }
  return json;
}

JsonObject object_schema(std::span<const Field> fields) {
  JsonObject properties;
  std::vector<std::string> required;
  for (const Field& field : fields) {
    properties.object(field.name, field_schema(field));
    if (field.need == Need::required) required.emplace_back(field.name);
  }
  JsonObject json;
  json.text("type", "object").object("properties", properties);
  if (!required.empty()) json.strings("required", required);
  return json.boolean("additionalProperties", false);
}

JsonObject selector_schema() {
  // A selector has a condition beside `annotation`.
  const std::string conditions =
      list_json(selector_fields().first(selector_fields().size() - 1), [](const Field& field) {
        const std::string name(field.name);
        return JsonObject().strings("required", {{name}});
      });
  return object_schema(selector_fields()).json("anyOf", conditions);
}

JsonObject step_schema() {
  const std::string types = list_json(step_types(), [](const StepType& type) {
    std::vector<Field> fields = type.fields;
    JsonObject json = object_schema(fields);
    const auto name = JsonObject().text("const", type.name);
    return JsonObject()
        .text("title", type.name)
        .append(json)
        .json(
            "allOf",
            "[" + JsonObject().object("properties", JsonObject().object("type", name)).str() + "]");
  });
  return JsonObject().json("oneOf", types);
}

}  // namespace

std::string json_schema() {
  JsonObject json;
  json.text("$schema", "https://json-schema.org/draft/2020-12/schema");
  json.text("title", "Recipe: the frontmatter; a step is #/$defs/step");
  json.append(object_schema(frontmatter_fields()));
  json.object("$defs",
              JsonObject().object("step", step_schema()).object("selector", selector_schema()));
  return indent_json(json.str()) + "\n";
}

}  // namespace clawperator::recipe
