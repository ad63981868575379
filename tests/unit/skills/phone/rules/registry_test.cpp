#include "skills/phone/rules/registry.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

constexpr std::string_view kTwo = R"({
  "$schema": "./skills-registry.schema.json", "schemaVersion": "1.0",
  "skills": [
    {"id": "a.one", "applicationId": "a", "intent": "one", "summary": "The \"first\"",
     "path": "skills/a.one", "skillFile": "skills/a.one/SKILL.md",
     "scripts": ["skills/a.one/scripts/run.js"], "artifacts": [], "keywords": ["x", "y z"],
     "owner": {"scripts": ["not mine"], "level": 1.50}},
    {"id": "b.two", "scripts": "none", "artifacts": null}
  ],
  "generatedAt": [1, {"skills": []}]
})";

}  // namespace

TEST_CASE("registry: entries are read, and kept as they are stored", "[skills]") {
  const auto registry = parse_registry(kTwo);
  REQUIRE(registry);
  REQUIRE(registry->skills.size() == 2);
  const Skill& one = registry->skills[0];
  CHECK(one.id == "a.one");
  CHECK(one.application_id == "a");
  CHECK(one.intent == "one");
  CHECK(one.summary == "The \"first\"");
  CHECK(one.path == "skills/a.one");
  CHECK(one.skill_file == "skills/a.one/SKILL.md");
  CHECK(one.scripts == std::vector<std::string>{"skills/a.one/scripts/run.js"});
  CHECK(one.lists_scripts);
  CHECK(one.artifacts_usable);
  CHECK(one.keywords == std::vector<std::string>{"x", "y z"});
  CHECK(one.json ==
        R"({"id":"a.one","applicationId":"a","intent":"one","summary":"The \"first\"",)"
        R"("path":"skills/a.one","skillFile":"skills/a.one/SKILL.md",)"
        R"("scripts":["skills/a.one/scripts/run.js"],"artifacts":[],"keywords":["x","y z"],)"
        R"("owner":{"scripts":["not mine"],"level":1.5}})");
  const Skill& two = registry->skills[1];
  CHECK_FALSE(two.lists_scripts);
  CHECK_FALSE(two.artifacts_usable);
  CHECK(two.json == R"({"id":"b.two","scripts":"none","artifacts":null})");
}

TEST_CASE("registry: written again it has every member, indented by two", "[skills]") {
  const auto registry = parse_registry(R"({"a":1,"skills":[{"id":"x","scripts":[]}],"b":[true]})");
  REQUIRE(registry);
  CHECK(
      write_registry(*registry) ==
      "{\n  \"a\": 1,\n  \"skills\": [\n    {\n      \"id\": \"x\",\n      \"scripts\": []\n    }\n"
      "  ],\n  \"b\": [\n    true\n  ]\n}\n");
}

TEST_CASE("registry: of a repeated member the last counts", "[skills]") {
  const auto registry =
      parse_registry(R"({"skills":[{"id":"x","scripts":["a"],"id":7,"scripts":["b"]}]})");
  REQUIRE(registry);
  CHECK(registry->skills[0].id.empty());
  CHECK(registry->skills[0].scripts == std::vector<std::string>{"b"});
}

TEST_CASE("registry: an entry that is no object spoils itself alone", "[skills]") {
  const std::string text = R"({"skills":[5,["id","x",{"id":"y"}],{"id":"a"},null,"id"],"more":1})";
  for (const auto reading : {EntryReading::fields, EntryReading::text}) {
    const auto registry = parse_registry(text, reading);
    REQUIRE(registry);
    REQUIRE(registry->skills.size() == 5);
    for (const std::size_t at : {0U, 1U, 3U, 4U}) CHECK_FALSE(registry->skills[at].is_object);
    CHECK(registry->skills[1].id.empty());
    CHECK(listing_json(search(*registry, {})) == R"({"skills":[{"id":"a"}],"count":1})");
    CHECK(write_registry(*registry) == indent_json(text) + "\n");
  }
}

TEST_CASE("registry: what is none is refused with the published words", "[skills]") {
  const std::string no_array = "Invalid registry: skills array required";
  const std::string deep = std::string(200, '[') + std::string(200, ']');
  struct Case {
    std::string text;
    std::string message;
  };
  const Case cases[] = {
      {"[]", no_array},
      {"7", no_array},
      {"{}", no_array},
      {R"({"skills":{}})", no_array},
      {R"({"skills":null})", no_array},
      {R"({"skills":"x"})", no_array},
      {R"({"Skills":[]})", no_array},
      {R"({"nested":{"skills":[]}})", no_array},
      {R"({"skills":[],"skills":[]})", "Invalid registry: there are two skills arrays"},
      {R"({"skills":[{"a":)" + deep + "}]}", "nested deeper than 128 levels"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text.substr(0, 60));
    const auto registry = parse_registry(each.text);
    REQUIRE_FALSE(registry);
    CHECK(registry.error().code() == errc::registry_read_failed);
    CHECK(registry.error().message() == each.message);
  }
  const auto broken = parse_registry(R"({"skills":[)");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().message().starts_with("parse error at line 1, column 12"));
}

TEST_CASE("registry: a skill is found by its id, and an empty id finds none", "[skills]") {
  const auto registry = parse_registry(R"({"skills":[{},{"id":"x","n":1},{"id":"x","n":2}]})");
  REQUIRE(registry);
  REQUIRE(find_skill(*registry, "x"));
  CHECK(find_skill(*registry, "x")->json == R"({"id":"x","n":1})");
  CHECK(find_skill(*registry, "") == nullptr);
  CHECK(find_skill(*registry, "y") == nullptr);
  CHECK(no_such_skill("y").error().message() == "Skill not found: y");
}

TEST_CASE("registry: read for its texts alone it has the same entries", "[skills]") {
  const auto all = parse_registry(kTwo);
  const auto texts = parse_registry(kTwo, EntryReading::text);
  REQUIRE(all);
  REQUIRE(texts);
  REQUIRE(texts->skills.size() == all->skills.size());
  for (std::size_t i = 0; i < all->skills.size(); ++i) {
    CHECK(texts->skills[i].json == all->skills[i].json);
    CHECK(texts->skills[i].id.empty());
  }
  CHECK(write_registry(*texts) == write_registry(*all));
}

TEST_CASE("registry: entries without content are bounded, because each takes memory", "[skills]") {
  std::string text = R"({"skills":[)";
  for (std::size_t i = 1; i < kMaxSkills; ++i) text += "{},";
  CHECK(parse_registry(text + "{}]}"));
  const auto more = parse_registry(text + "{},{}]}");
  REQUIRE_FALSE(more);
  CHECK(more.error().code() == errc::registry_read_failed);
  CHECK(more.error().message() == "Invalid registry: more than 100000 skills");
}
