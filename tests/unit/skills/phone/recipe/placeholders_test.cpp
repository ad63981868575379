#include "skills/phone/recipe/placeholders.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "skills/phone/recipe/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

TEST_CASE("placeholders: only ${inputs.NAME}", "[skills]") {
  const auto names = [](std::string_view text) {
    std::string all;
    for (const Placeholder& each : placeholders_in(text)) {
      all += "<" + std::string(each.name) + ">";
    }
    return all;
  };
  CHECK(names("none $ {x} $x {inputs.x}").empty());
  CHECK(names("${inputs.a} ${inputs.b_2}${inputs.a}") == "<a><b_2><a>");
  CHECK(names("${a} ${inputs.} ${inputs.a-b} ${inputs.a") == "<><><><>");
  CHECK(names("${${inputs.a}}") == "<><a>");
}

TEST_CASE("placeholders: a value is data", "[skills]") {
  const Values values{{"a", "${inputs.b}\"\n$&"}, {"b", "2"}, {"none", " "}};
  CHECK(fill_in("<${inputs.a}>${inputs.b}", values) == "<${inputs.b}\"\n$&>2");
  CHECK(fill_in("plain", values) == "plain");
  CHECK(fill_in("${inputs.c}", values).error().code() == errc::recipe_input_missing);
  CHECK(fill_in("${inputs.none}", values).error().code() == errc::recipe_input_missing);
}

TEST_CASE("placeholders: the result is bounded", "[skills]") {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += "${inputs.a}";
  const Values values{{"a", std::string(1 << 20, 'x')}};
  CHECK(fill_in(text, values).error().code() == errc::recipe_input_invalid);
}
