#include "runtime/mcp/input_schema.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace clawperator::mcp;
using nlohmann::json;

namespace {

constexpr std::string_view kShades[] = {"red", "green"};

json schema_of_one(const Property& property) {
  return json::parse(input_schema(std::span(&property, 1)))["properties"]["it"];
}

}  // namespace

TEST_CASE("mcp schema: an object of its properties") {
  constexpr Property properties[] = {{"name", Type::text, "", {}, true},
                                     {"loud", Type::boolean, ""}};
  CHECK(json::parse(input_schema(properties)) ==
        json{{"type", "object"},
             {"properties", {{"name", {{"type", "string"}}}, {"loud", {{"type", "boolean"}}}}},
             {"required", {"name"}}});
}

TEST_CASE("mcp schema: words, limits and meanings") {
  CHECK(schema_of_one({"it", Type::text, "of it", kShades}) ==
        json{{"type", "string"}, {"enum", {"red", "green"}}, {"description", "of it"}});
  CHECK(schema_of_one({"it", Type::text, "", {}, false, 0, 9}) ==
        json{{"type", "string"}, {"maxLength", 9}});
  CHECK(schema_of_one(whole_argument("it", 1, 9)) ==
        json{{"type", "integer"}, {"minimum", 1}, {"maximum", 9}});
  CHECK(schema_of_one({"it", Type::texts, ""}) ==
        json{{"type", "array"}, {"items", {{"type", "string"}}}});
}

TEST_CASE("mcp schema: a selector has the fields that are read") {
  const json schema = schema_of_one({"it", Type::selector, ""});
  CHECK(schema["type"] == "object");
  CHECK(schema["properties"].size() == selector_fields().size());
  for (const SelectorField& field : selector_fields()) {
    CHECK(schema["properties"][std::string(field.name)]["type"] == "string");
  }
}

TEST_CASE("mcp schema: an action has an id, one of the types, and parameters of their kinds") {
  const json action = schema_of_one({"it", Type::steps, ""})["items"];
  CHECK(action["required"] == json{"id", "type"});
  const json& members = action["properties"];
  CHECK(std::ranges::count(members["type"]["enum"], "click") == 1);
  CHECK(std::ranges::count(members["type"]["enum"], "doctor_ping") == 0);
  const json& params = members["params"]["properties"];
  CHECK(params["submit"]["type"] == "boolean");
  CHECK(params["timeoutMs"]["type"] == "number");
  CHECK(params["matcher"]["properties"]["textEquals"]["type"] == "string");
  CHECK(params["coordinate"]["properties"].size() == 2);
}
