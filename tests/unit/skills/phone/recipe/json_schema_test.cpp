#include "skills/phone/recipe/json_schema.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_document.hpp"
#include "skills/phone/recipe/fields_table.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

namespace {

constexpr const char* kPage = CLAWPERATOR_SOURCE_DIR "/docs/reference/recipe.schema.json";

}  // namespace

TEST_CASE("recipe: docs/reference/recipe.schema.json is what the table says", "[skills]") {
  if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(kPage) << json_schema();
  std::ifstream stream(kPage, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(stream), {}};
  CHECK(page == json_schema());
  const Json schema = Json::parse(page);
  CHECK(schema["required"].size() == 12);
  CHECK(schema["$defs"]["step"]["oneOf"].size() == step_types().size());
}

TEST_CASE("recipe: the steps are the eight actions and enter_text", "[skills]") {
  std::string names;
  for (const StepType& each : step_types()) names += std::string(each.name) + " ";
  CHECK(names ==
        "open_app close_app wait_for_node click scroll_and_click read_text snapshot_ui sleep "
        "enter_text ");
}
