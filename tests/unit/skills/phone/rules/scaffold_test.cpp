#include "skills/phone/rules/scaffold.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/manifest.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::phone_skills;

namespace {

const std::string& file_named(const Scaffold& scaffold, std::string_view name) {
  static const std::string kNone;
  for (const ScaffoldFile& file : scaffold.files) {
    if (file.name == name) return file.text;
  }
  return kNone;
}

}  // namespace

TEST_CASE("scaffold: the last dot parts app and intent", "[skills]") {
  const auto scaffold = make_scaffold(" com.example.app.do-it ", std::nullopt);
  REQUIRE(scaffold);
  CHECK(scaffold->entry.json ==
        R"({"id":"com.example.app.do-it","applicationId":"com.example.app","intent":"do-it",)"
        R"("summary":"TODO: describe com.example.app.do-it","path":"skills/com.example.app.do-it",)"
        R"("skillFile":"skills/com.example.app.do-it/SKILL.md",)"
        R"("scripts":["skills/com.example.app.do-it/scripts/run.js",)"
        R"("skills/com.example.app.do-it/scripts/run.sh"],"artifacts":[]})");
  REQUIRE(scaffold->files.size() == 4);
  CHECK(scaffold->files[3].is_program);
  const auto skill_json = read_skill_json(file_named(*scaffold, "skill.json"));
  REQUIRE(skill_json);
  CHECK(mismatches_of(*skill_json, scaffold->entry).empty());
}

TEST_CASE("scaffold: a summary is a block of YAML, whatever lines it has", "[skills]") {
  const auto scaffold = make_scaffold("a.b", "one: \"x\"\r\n\r\n# two\rthree");
  REQUIRE(scaffold);
  CHECK(
      file_named(*scaffold, "SKILL.md")
          .starts_with("---\nname: a.b\ndescription: |-\n  one: \"x\"\n\n  # two\n  three\n---\n"));
  CHECK_FALSE(make_scaffold("a.b", std::string("x\0y", 3)));
}

TEST_CASE("scaffold: an id without app or intent is refused", "[skills]") {
  for (const std::string id :
       {"", "plain", ".intent", "app.", " . ", "a..b", "a/b.c", "../x.y", "a b.c", "-", "ä.b"}) {
    CAPTURE(id);
    const auto scaffold = make_scaffold(id, std::nullopt);
    REQUIRE_FALSE(scaffold);
    CHECK(scaffold.error().code() == errc::skill_id_invalid);
  }
  CHECK(make_scaffold("app.", std::nullopt).error().message() ==
        "skill_id must contain at least one dot so applicationId and intent can be derived");
}

TEST_CASE("scaffold: the registry is sorted as JavaScript's localeCompare sorts ids", "[skills]") {
  // By node: ["b.a","B.a","a-b","a_b","a.b","a1","A1","ab","b.A"].sort((x, y) =>
  // x.localeCompare(y))
  Registry registry;
  for (const char* id : {"b.a", "B.a", "a-b", "a_b", "a.b", "a1", "A1", "ab", "b.A"}) {
    add_sorted(&registry, {.id = id});
  }
  std::vector<std::string> ids;
  for (const Skill& skill : registry.skills) ids.push_back(skill.id);
  CHECK(ids ==
        std::vector<std::string>{"a_b", "a-b", "a.b", "a1", "A1", "ab", "b.a", "b.A", "B.a"});
}
