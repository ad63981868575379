#include "runtime/mcp/arguments.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace clawperator;
using namespace clawperator::mcp;

namespace {

constexpr std::string_view kColours[] = {"red", "green"};
constexpr Property kProperties[] = {
    {"name", Type::text, "", {}, true},
    {"colour", Type::text, "of it", kColours},
    whole_argument("count", -5, 9),
    whole_argument("size", 1, 9),
    whole_argument("pause_ms", 0, 9),
    {"loud", Type::boolean, ""},
    {"selector", Type::selector, "which"},
    {"actions", Type::steps, ""},
    {"words", Type::texts, ""},
};
// Of what acts on a place.
constexpr Property kPlace[] = {
    {"ref", Type::text, ""},    {"selector", Type::selector, ""},   whole_argument("x", 0, 99),
    whole_argument("y", 0, 99), whole_argument("settle_ms", 0, 99), {"device", Type::text, ""},
};

Result<Arguments> read(std::string_view json) {
  const auto document = read_json(json, 100000);
  REQUIRE(document);
  return Arguments::read(&*document, kProperties);
}

Arguments place(std::string_view json) {
  const auto document = read_json(json, 100000);
  auto arguments = Arguments::read(&*document, kPlace);
  REQUIRE(arguments);
  return *std::move(arguments);
}

std::string steps(const std::string& actions) {
  const auto arguments = read(R"({"name":"a","actions":)" + actions + "}");
  REQUIRE(arguments);
  return write_json(*arguments->value("actions"));
}

std::string step(const std::string& params) {
  return steps(R"([{"id":"1","type":"click","params":)" + params + "}]");
}

// The error that a model reads.
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
  CHECK(arguments->whole("count") == -3);
  CHECK(arguments->flag("loud"));
  CHECK(**arguments->selector("selector") == NodeMatcher{.role = "button", .text_equals = "x"});
  CHECK(write_json(*arguments->value("actions")) == R"([{"id":"1"}])");
}

TEST_CASE("mcp arguments: what is left out, or null, is not there") {
  const auto arguments = read(R"({"name":"a","count":null,"selector":null})");
  REQUIRE(arguments);
  CHECK_FALSE(arguments->has("count"));
  CHECK_FALSE(arguments->text("colour"));
  CHECK_FALSE(arguments->whole("count"));
  CHECK_FALSE(*arguments->selector("selector"));
  CHECK_FALSE(arguments->flag("loud"));
  CHECK(arguments->value("actions") == nullptr);
}

TEST_CASE("mcp arguments: numbers and truths may be written as texts") {
  const auto arguments = read(R"({"name":"a","count":"7","loud":"true"})");
  REQUIRE(arguments);
  CHECK(arguments->whole("count") == 7);
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
  CHECK(complaint(R"({"name":"a","actions":{"id":1}})") ==
        "argument 'actions' must be an array of actions");
  CHECK(complaint(R"({"name":"a","nmae":1})") ==
        "there is no argument 'nmae'; known are: name, colour, count, size, pause_ms, loud, "
        "selector, actions, words");
}

TEST_CASE("mcp arguments: the name of an unknown one is shown, but not at any length") {
  const std::string message = complaint(R"({"name":"a",")" + std::string(5000, 'x') + R"(":1})");
  CHECK(message.find("there is no argument 'xxx") == 0);
  CHECK(message.size() < 300);
}

TEST_CASE("mcp arguments: a number has its bounds, also one that no int holds") {
  CHECK(complaint(R"({"name":"a","count":10})") ==
        "argument 'count' must be a whole number from -5 to 9");
  CHECK(complaint(R"({"name":"a","count":-6})") ==
        "argument 'count' must be a whole number from -5 to 9");
  CHECK(complaint(R"({"name":"a","count":1e300})") ==
        "argument 'count' must be a whole number from -5 to 9");
}

TEST_CASE("mcp arguments: a selector names what is known, with texts that say something") {
  const auto bad = GENERATE(as<std::string>{}, R"({"xpath":"//a"})", R"({"text":1})",
                            R"({"text":"  "})", R"({"text":"a","nth":1})");
  CHECK(selector_complaint(bad).starts_with("selector."));
  CHECK(selector_complaint(bad).contains(" is not one of id, text, text_contains, "));
}

TEST_CASE("mcp arguments: JSON text is read where an object or an array is wanted") {
  const auto arguments = read(
      R"({"name":"{\"a\":1}","selector":"{\"text\":\"x\"}","actions":"[{\"id\":\"1\"}]","words":"[\"v\"]"})");
  REQUIRE(arguments);
  CHECK(arguments->text("name") == R"({"a":1})");  // a text stays a text
  CHECK(**arguments->selector("selector") == NodeMatcher{.text_equals = "x"});
  CHECK(write_json(*arguments->value("actions")) == R"([{"id":"1"}])");
  CHECK(arguments->texts("words") == std::vector<std::string>{"v"});
  CHECK(complaint(R"({"name":"a","selector":"[1]"})") == "argument 'selector' must be an object");
  CHECK(complaint(R"({"name":"a","selector":"{"})") == "argument 'selector' must be an object");
  CHECK(complaint(R"({"name":"a","words":"[1]"})") == "argument 'words' must be an array of texts");
  CHECK(read(R"("{\"name\":\"a\"}")")->text("name") == "a");
  CHECK(complaint(R"("x")") == "arguments must be an object");
}

TEST_CASE("mcp arguments: what a host puts for an argument that is left out is not there") {
  const auto nothing = GENERATE(
      as<std::string>{},
      R"("colour":"","count":"","size":0,"loud":"","selector":"","actions":"","words":"","xpath":"")",
      R"("selector":{},"actions":[],"words":[],"size":"0","xpath":[])",
      R"("selector":{"id":null,"text":""},"count":"null","selector":"null")",
      R"("selector":"{\"id\":null}","actions":"[]","words":"null")");
  const auto arguments = read(R"({"name":"a",)" + nothing + "}");
  REQUIRE(arguments);
  for (const Property& property : kProperties) {
    CAPTURE(property.name);
    CHECK(arguments->has(property.name) == property.required);
  }
}

TEST_CASE("mcp arguments: a required text may be empty, and a number may be 0") {
  CHECK(read(R"({"name":""})")->text("name") == "");
  CHECK(read(R"({"name":"a","count":0})")->whole("count") == 0);
  CHECK(read(R"({"name":"a","pause_ms":0})")->whole("pause_ms") == 0);
}

TEST_CASE("mcp arguments: 0 is left out where a host fills in every argument") {
  CHECK_FALSE(read(R"({"name":"a","pause_ms":0,"colour":""})")->has("pause_ms"));
  CHECK(read(R"({"name":"a","pause_ms":1,"colour":""})")->whole("pause_ms") == 1);
}

TEST_CASE("mcp arguments: a selector without its members that say nothing") {
  const auto arguments = read(R"({"name":"a","selector":{"id":null,"text":"x","role":""}})");
  CHECK(**arguments->selector("selector") == NodeMatcher{.text_equals = "x"});
}

TEST_CASE("mcp arguments: the point 0,0 is none beside another place") {
  const auto other = GENERATE(as<std::string>{}, R"("ref":"@3")", R"("selector":{"text":"a"})");
  const auto beside = place("{" + other + R"(,"x":0,"y":"0"})");
  CHECK_FALSE(beside.has("x"));
  CHECK_FALSE(beside.has("y"));
  CHECK(place("{" + other + R"(,"x":0,"y":5})").whole("x") == 0);
  CHECK(place(R"({"x":0,"y":0})").whole("x") == 0);
  CHECK(place(R"({"x":0,"y":0,"device":"","selector":{}})").whole("y") == 0);
}

TEST_CASE("mcp arguments: actions come as texts and with nothings, too") {
  CHECK(steps(R"(["{\"id\":\"1\",\"params\":null}"])") == R"([{"id":"1"}])");
  CHECK(steps(R"([{"id":"1","params":"{\"matcher\":\"{\\\"role\\\":\\\"a\\\"}\"}"}])") ==
        R"([{"id":"1","params":{"matcher":{"role":"a"}}}])");
  CHECK(
      step(
          R"({"matcher":{"textEquals":"x","role":null},"container":{},"clickType":"","retry":null})") ==
      R"([{"id":"1","type":"click","params":{"matcher":{"textEquals":"x"}}}])");
  CHECK(
      step(R"({"coordinate":"{\"x\":\"1\",\"y\":2}","timeoutMs":"500","submit":"true"})") ==
      R"([{"id":"1","type":"click","params":{"coordinate":{"x":1,"y":2},"timeoutMs":500,"submit":true}}])");
  CHECK(step(R"({"selector":{"role":"a"},"coordinate":{"x":0,"y":0}})") ==
        R"([{"id":"1","type":"click","params":{"selector":{"role":"a"}}}])");
  CHECK(step(R"({"coordinate":{"x":0,"y":0}})") ==
        R"([{"id":"1","type":"click","params":{"coordinate":{"x":0,"y":0}}}])");
  // What is wrong stays, to be refused with its place.
  CHECK(steps(R"([1,"x",{"id":7,"params":[]}])") == R"([1,"x",{"id":7,"params":[]}])");
}
