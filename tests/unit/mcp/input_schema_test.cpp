#include "runtime/mcp/input_schema.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/act/selector.hpp"

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
  CHECK(schema["properties"].size() == act::kMatcherNames.size());
  for (const std::string_view field : act::kMatcherNames) {
    CHECK(schema["properties"][std::string(field)]["type"] == "string");
  }
}

TEST_CASE("mcp schema: what programs know is not listed") {
  Property plan{"it", Type::steps, ""};
  plan.is_listed = false;
  CHECK(json::parse(input_schema(std::span(&plan, 1)))["properties"].empty());
}

TEST_CASE(
    "mcp schema: a step is one of the tools that a plan may contain, with what names its target") {
  const json members = schema_of_one({"it", Type::calls, ""})["items"]["properties"];
  CHECK(members.contains("tap"));
  CHECK(members.contains("wait_for"));
  for (const char* other : {"execute", "screenshot", "devices", "doctor"}) {
    CHECK_FALSE(members.contains(other));
  }
  const json type_text = {
      {"ref", {{"type", "string"}}},
      {"text", {{"type", "string"}}},
      {"selector", {{"type", "object"}, {"properties", {{"text", {{"type", "string"}}}}}}}};
  CHECK(members["type_text"]["properties"] == type_text);
}
