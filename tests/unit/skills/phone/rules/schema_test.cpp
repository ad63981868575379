
#include <catch2/catch.hpp>
#include <functional>
#include <string>

#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/rules/registry.hpp"
#include "skills/phone/rules/schema_rules.hpp"

using namespace clawperator::phone_skills;

namespace {

Skill good(const std::string& id = "com.a.do-it") {
  return {.id = id,
          .application_id = "com.a",
          .intent = "do-it",
          .summary = "Does it",
          .path = "skills/" + id,
          .skill_file = "skills/" + id + "/SKILL.md",
          .scripts = {"skills/" + id + "/scripts/run.js"},
          .artifacts = {"skills/" + id + "/artifacts/a.recipe.json"},
          .keywords = {"it"},
          .lists_scripts = true,
          .json = R"({"id":")" + id + "\"}"};
}

}  // namespace

TEST_CASE("schema: a good entry has no problem, each broken rule is one", "[skills]") {
  CHECK(schema_problems({.skills = {good()}}).empty());
  struct Case {
    std::string problem;
    std::function<void(Skill&)> breaks;
  };
  const Case cases[] = {
      {"applicationId must match", [](Skill& s) { s.application_id = "com/a"; }},
      {"intent must match", [](Skill& s) { s.intent = "Do"; }},
      {"summary must not be blank", [](Skill& s) { s.summary = " "; }},
      {"path must be", [](Skill& s) { s.path = "skills/other"; }},
      {"skillFile must be", [](Skill& s) { s.skill_file = "SKILL.md"; }},
      {"at least one script", [](Skill& s) { s.scripts.clear(); }},
      {"at least one script", [](Skill& s) { s.lists_scripts = false; }},
      {"ending in .sh or .js", [](Skill& s) { s.scripts[0] += "x"; }},
      {"ending in .sh or .js", [](Skill& s) { s.scripts[0] = "skills/com.a.do-it/run.js"; }},
      {"ending in .sh or .js",
       [](Skill& s) { s.scripts[0] = "skills/com.a.do-it/scripts/x/run.js"; }},
      {"ending in .sh or .js", [](Skill& s) { s.scripts[0] = "skills/com.a.do-it/scripts/.js"; }},
      {"artifacts must be an array", [](Skill& s) { s.artifacts_usable = false; }},
      {"artifacts must be files", [](Skill& s) { s.artifacts[0] = "a.recipe.json"; }},
      {"keywords must not be blank", [](Skill& s) { s.keywords = {" "}; }},
      {"keywords must not be blank", [](Skill& s) { s.keywords = {"x", "x"}; }},
  };
  for (const Case& each : cases) {
    Skill skill = good();
    each.breaks(skill);
    const auto problems = schema_problems({.skills = {skill}});
    CAPTURE(each.problem);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].text.starts_with("com.a.do-it: "));
    CHECK(problems[0].text.contains(each.problem));
    CHECK(problems[0].text.contains(problems[0].member));
  }
  const auto twice = schema_problems({.skills = {good(), good()}});
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].entry == 1);
  CHECK(twice[0].text == "com.a.do-it: id is registered twice");
  CHECK(schema_problems({.skills = {Skill{}}})[0].text.starts_with("skills[0]: id must match"));
}

TEST_CASE("paths: what leads out of the repository is none", "[skills]") {
  for (const char* path : {"a", "skills/x/run.js", "a/./b", "a//b", "..a/b..", "a/...", "./a"}) {
    CAPTURE(path);
    CHECK(is_inner_path(path));
  }
  for (const std::string path : {"", "/a", "..", "../a", "a/..", "a/../b", "a\\..\\b"}) {
    CAPTURE(path);
    CHECK_FALSE(is_inner_path(path));
  }
  CHECK_FALSE(is_inner_path(std::string("a\0b", 3)));
  for (const std::string& path : good().scripts) CHECK(is_inner_path(path));
  CHECK_FALSE(is_inner_path("../b.json"));
}

TEST_CASE("indexes: each file holds the entries that it is named for, sorted by id", "[skills]") {
  Skill other = good("org.b.see");
  other.application_id = "org.b";
  const Registry registry{.skills = {other, good("com.a.z"), good("com.a.a")}};
  const auto files = make_indexes(registry);
  const std::string a = R"({"id":"com.a.a"})";
  const std::string z = R"({"id":"com.a.z"})";
  const std::string b = R"({"id":"org.b.see"})";
  CHECK(files.at("skills/generated/skills-index.jsonl") == a + "\n" + z + "\n" + b + "\n");
  CHECK(files.at("skills/generated/skills-index.min.json") ==
        R"({"schemaVersion":"1.0","count":3,"skills":[)" + a + "," + z + "," + b + "]}\n");
  CHECK(files.at("skills/generated/by-app/com.a.json") ==
        R"({"schemaVersion":"1.0","count":2,"applicationId":"com.a","skills":[)" + a + "," + z +
            "]}\n");
  CHECK(files.at("skills/generated/by-prefix/org.json") ==
        R"({"schemaVersion":"1.0","count":1,"prefix":"org","skills":[)" + b + "]}\n");
  const std::string manifest = files.at("skills/generated/manifest.json");
  CHECK(manifest.starts_with(R"({"schemaVersion":"1.0","count":3,"files":{)"));
  // By sha256sum of the three lines.
  CHECK(manifest.contains(
      R"("skills/generated/skills-index.jsonl":"03b00e653aaa3490069d40126e8bd65de33c811713aace639fe5535dbe4d5462")"));
  CHECK(files.size() == 7);
  const Registry again{.skills = {good("com.a.a"), other, good("com.a.z")}};
  CHECK(make_indexes(again) == files);
}
