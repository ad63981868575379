#include "skills/phone/recipe/compile.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "skills/phone/recipe/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

namespace {

// A recipe with `count` inputs a0, a1, ...; each is typed in a step of its own.
std::string recipe_of(int count) {
  std::string text =
      "---\nrecipe_id: com.example.app.fill\nrecipe_version: 1.0.0\nrecipe_type: flow\n"
      "application_id: com.example.app\nsummary: Fill a form.\nframeworks: [views]\n"
      "session_policy: fresh\napp_build: {version_name: \"1\", version_code: 1}\n"
      "tested_on: {android_api: 34}\ncapabilities: [observe]\noutputs: []\ninputs:\n";
  std::string steps;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "  - {name: a" + n + ", type: string, required: true}\n";
    steps += "## Step " + n + "\n```yaml\nid: s" + n +
             "\ntype: enter_text\nselector: {text_equals: \"${inputs.a" + n +
             "}\"}\nparams: {text: \"${inputs.a0}\"}\n```\n";
  }
  return text + "---\n" + steps;
}

}  // namespace

TEST_CASE("recipe: 10,000 orders of the values give the same bytes", "[skills]") {
  constexpr int kInputs = 12;
  const Reading reading = read_recipe(recipe_of(kInputs));
  REQUIRE(reading.faults.empty());
  std::vector<std::pair<std::string, std::string>> values;
  for (int i = 0; i < kInputs; ++i)
    values.emplace_back("a" + std::to_string(i), "v" + std::to_string(i));
  std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same orders in each run
  std::string first;
  for (int run = 0; run < 10'000; ++run) {
    std::ranges::shuffle(values, random);
    Json vars = Json::object();
    for (const auto& [name, value] : values) vars[name] = value;
    const auto execution = compile_recipe(reading.recipe, vars);
    REQUIRE(execution);
    if (first.empty()) first = *execution;
    if (*execution != first) FAIL("run " << run << ": " << *execution);
  }
  CHECK(first.contains(R"({"id":"fresh-close","type":"close_app")"));
}

TEST_CASE("recipe: another value, version or id gives another command id", "[skills]") {
  const std::string text = recipe_of(1);
  const auto id_of = [](const std::string& recipe, const char* value) {
    const auto execution = compile_recipe(read_recipe(recipe).recipe, Json{{"a0", value}});
    REQUIRE(execution);
    return Json::parse(*execution)["commandId"].get<std::string>();
  };
  CHECK(id_of(text, "x") == id_of(text, "x"));
  CHECK(id_of(text, "x") != id_of(text, "y"));
  std::string later = text;
  later.replace(later.find("1.0.0"), 5, "1.0.1");
  CHECK(id_of(later, "x") != id_of(text, "x"));
}

TEST_CASE("recipe: more steps than an execution has are a fault of the recipe", "[skills]") {
  CHECK(read_recipe(recipe_of(48)).faults.empty());
  const Reading reading = read_recipe(recipe_of(49));
  REQUIRE(reading.faults.size() == 1);
  CHECK(reading.faults[0].code == errc::recipe_plan_invalid);
}
