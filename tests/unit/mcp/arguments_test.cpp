#include "runtime/mcp/arguments.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"

using namespace clawperator;
using namespace clawperator::mcp;

namespace {

constexpr std::string_view kColours[] = {"red", "green"};
constexpr Property kProperties[] = {
    {"name", Type::text, "", {}, true},
    {"colour", Type::text, "of it", kColours},
    {"count", Type::whole, ""},
    {"loud", Type::boolean, ""},
    {"selector", Type::selector, "which"},
    {"actions", Type::steps, ""},
};

Result<Arguments> read(std::string_view json) {
  const auto document = read_json(json, 100000);
  REQUIRE(document);
  return Arguments::read(&*document, kProperties);
}

// What a model is told.
std::string complaint(std::string_view json) {
  const auto arguments = read(json);
  REQUIRE_FALSE(arguments);
  CHECK(arguments.error().code() == errc::usage);
  return arguments.error().message();
}

std::string selector_complaint(const std::string& selector) {
  const auto matcher = read(R"({"name":"a","selector":)" + selector + "}")->selector("selector");
  REQUIRE_FALSE(matcher);
  return matcher.error().message();
}

}  // namespace

TEST_CASE("mcp arguments: each is read as its type says") {
  const auto arguments = read(
      R"({"name":"a","colour":"red","count":-3,"loud":true,"selector":{"text":"x","role":"button"},"actions":[{"id":"1"}]})");
  REQUIRE(arguments);
  CHECK(arguments->text("name") == "a");
  CHECK(arguments->text("colour") == "red");
  CHECK(*arguments->whole("count", -5, 5) == -3);
  CHECK(arguments->flag("loud"));
  CHECK(**arguments->selector("selector") == NodeMatcher{.role = "button", .text_equals = "x"});
  CHECK(arguments->json("actions") == R"([{"id":"1"}])");
}

TEST_CASE("mcp arguments: what is left out, or null, is not there") {
  const auto arguments = read(R"({"name":"a","count":null,"selector":null})");
  REQUIRE(arguments);
  CHECK_FALSE(arguments->has("count"));
  CHECK_FALSE(arguments->text("colour"));
  CHECK_FALSE(*arguments->whole("count", 0, 9));
  CHECK_FALSE(*arguments->selector("selector"));
  CHECK_FALSE(arguments->flag("loud"));
  CHECK(arguments->json("actions").empty());
}

TEST_CASE("mcp arguments: numbers and truths may be written as texts") {
  const auto arguments = read(R"({"name":"a","count":"12","loud":"true"})");
  REQUIRE(arguments);
  CHECK(*arguments->whole("count", 0, 20) == 12);
  CHECK(arguments->flag("loud"));
  CHECK_FALSE(read(R"({"name":"a","loud":"false"})")->flag("loud"));
}

TEST_CASE("mcp arguments: what is wrong is named, with what it may be") {
  CHECK(complaint("{}") == "argument 'name' is missing");
  CHECK(complaint(R"({"name":null})") == "argument 'name' is missing");
  CHECK(complaint(R"({"name":1})") == "argument 'name' must be a text");
  CHECK(complaint(R"({"name":"a","colour":"blue"})") ==
        "argument 'colour' must be one of red, green");
  CHECK(complaint(R"({"name":"a","count":1.5})") == "argument 'count' must be a whole number");
  CHECK(complaint(R"({"name":"a","count":"1x"})") == "argument 'count' must be a whole number");
  CHECK(complaint(R"({"name":"a","loud":1})") == "argument 'loud' must be true or false");
  CHECK(complaint(R"({"name":"a","selector":"x"})") == "argument 'selector' must be an object");
  CHECK(complaint(R"({"name":"a","actions":{}})") ==
        "argument 'actions' must be an array of actions");
  CHECK(complaint(R"({"name":"a","nmae":1})") ==
        "there is no argument 'nmae'; known are: name, colour, count, loud, selector, actions");
}

TEST_CASE("mcp arguments: the name of one that is not known is told, but not at any length") {
  const std::string told = complaint(R"({"name":"a",")" + std::string(5000, 'x') + R"(":1})");
  CHECK(told.find("there is no argument 'xxx") == 0);
  CHECK(told.size() < 300);
}

TEST_CASE("mcp arguments: a number has its bounds, also one that no int holds") {
  CHECK(read(R"({"name":"a","count":10})")->whole("count", 0, 9).error().message() ==
        "argument 'count' must be a whole number from 0 to 9");
  CHECK_FALSE(read(R"({"name":"a","count":1e300})")->whole("count", 0, 9));
}

TEST_CASE("mcp arguments: a selector names what is known, with texts that say something") {
  CHECK(selector_complaint("{}") ==
        "argument 'selector' must be an object with at least one member");
  const auto bad = GENERATE(as<std::string>{}, R"({"xpath":"//a"})", R"({"text":1})",
                            R"({"text":""})", R"({"text":"  "})", R"({"text":"a","nth":1})");
  CHECK(selector_complaint(bad).starts_with("argument 'selector' must be an object of id, text,"));
}

TEST_CASE("mcp arguments: the schema is an object with no members but these") {
  const auto schema = nlohmann::json::parse(input_schema(kProperties));
  CHECK(schema["type"] == "object");
  CHECK(schema["additionalProperties"] == false);
  CHECK(schema["required"] == nlohmann::json{"name"});
  CHECK(schema["properties"].size() == std::size(kProperties));
  CHECK(schema["properties"]["colour"] ==
        nlohmann::json{{"type", "string"}, {"enum", {"red", "green"}}, {"description", "of it"}});
  CHECK(schema["properties"]["count"]["type"] == "integer");
  CHECK(schema["properties"]["actions"]["items"]["type"] == "object");
  CHECK(nlohmann::json::parse(input_schema({})) ==
        nlohmann::json{{"type", "object"}, {"additionalProperties", false}});
}
