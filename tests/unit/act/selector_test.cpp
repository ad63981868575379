#include "runtime/act/selector.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"

using namespace clawperator;

namespace {

std::string nested(std::size_t levels) {
  return "{\"a\":" + std::string(levels, '[') + std::string(levels, ']') + "}";
}

}  // namespace

TEST_CASE("selector: a whole one is kept as it was written", "[act]") {
  constexpr const char* kText = R"({"textEquals":"x","extra":["y",{"b":null}],"a":""})";
  const auto selector = act::read_selector(kText, "--s");
  REQUIRE(selector);
  CHECK(selector->as_given->dump() == kText);
  CHECK(selector->fields == NodeMatcher{.text_equals = "x"});
}

TEST_CASE("selector: what nests too deeply or is no object is refused", "[act]") {
  struct Row {
    std::string text;
    const char* message;
  };
  const auto row = GENERATE(values<Row>({
      {"{oops", "--s must be valid JSON"},
      {"[]", "--s must be a JSON object"},
      {"3", "--s must be a JSON object"},
      {nested(128), "--s: nested deeper than 128 levels"},
      {nested(200000), "--s: nested deeper than 128 levels"},
  }));
  INFO(row.text.substr(0, 40));
  const auto selector = act::read_selector(row.text, "--s");
  REQUIRE_FALSE(selector);
  CHECK(selector.error() == Error(errc::execution_validation_failed, row.message));
}
