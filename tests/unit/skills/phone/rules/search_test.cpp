#include "skills/phone/rules/registry.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace clawperator::phone_skills;

namespace {

Registry registry_of(std::vector<Skill> skills) { return {.skills = std::move(skills)}; }

std::vector<std::string> ids(const Registry& registry, const Query& query) {
  std::vector<std::string> found;
  for (const Skill* skill : search(registry, query)) found.push_back(skill->id);
  return found;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("search: each rank comes before the next, whatever the registry's order", "[skills]") {
  // Each fits "air mode" in just the way that its id is called by.
  const Registry registry = registry_of({
      {.id = "r100", .summary = "Sets the AIR MODE of the room"},
      {.id = "r300.fair moder", .application_id = "q"},
      {.id = "r400", .keywords = {"fair moder"}},
      {.id = "r450", .application_id = "mode.of.air"},
      {.id = "r500", .application_id = "Air Mode"},
      {.id = "r550", .keywords = {"mode: air"}},
      {.id = "r600", .keywords = {"Air Mode"}},
      {.id = "none", .summary = "mode of the air", .keywords = {"air", "mode"}},
  });
  CHECK(ids(registry, {.keyword = "air mode"}) ==
        Ids{"r600", "r550", "r500", "r450", "r400", "r300.fair moder", "r100"});
}

TEST_CASE("search: equal ranks keep the registry's order", "[skills]") {
  const Registry registry = registry_of({{.id = "b", .summary = "the door"},
                                         {.id = "a", .summary = "a door"},
                                         {.id = "c", .keywords = {"door"}}});
  CHECK(ids(registry, {.keyword = "door"}) == Ids{"c", "b", "a"});
}

TEST_CASE("search: app and intent are exact and narrow a keyword", "[skills]") {
  const Registry registry =
      registry_of({{.id = "1", .application_id = "com.a", .intent = "get", .summary = "light"},
                   {.id = "2", .application_id = "com.a", .intent = "set", .summary = "light"},
                   {.id = "3", .application_id = "com.ab", .intent = "get", .summary = "light"}});
  CHECK(ids(registry, {.app = "com.a"}) == Ids{"1", "2"});
  CHECK(ids(registry, {.intent = "get"}) == Ids{"1", "3"});
  CHECK(ids(registry, {.app = "com.a", .intent = "get", .keyword = "light"}) == Ids{"1"});
  CHECK(ids(registry, {.app = "com.a", .keyword = "dark"}).empty());
  CHECK(ids(registry, {.keyword = "  "}) == Ids{"1", "2", "3"});
  CHECK(ids(registry, {}) == Ids{"1", "2", "3"});
}

TEST_CASE("search: a keyword without letters or digits is looked for as it is", "[skills]") {
  const Registry registry =
      registry_of({{.id = "1", .summary = "temperature in °C"}, {.id = "2", .keywords = {"heat"}}});
  CHECK(ids(registry, {.keyword = "°"}) == Ids{"1"});
}
