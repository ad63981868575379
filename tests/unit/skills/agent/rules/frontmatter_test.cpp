#include "skills/agent/rules/frontmatter.hpp"

#include <catch2/catch.hpp>

#include "base/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;

namespace {

std::string skill_md(const std::string& yaml) {
  return "---\nname: a\ndescription: d\n" + yaml + "---\n";
}

}  // namespace

TEST_CASE("frontmatter: aliases that stand for much are too much", "[agent]") {
  std::string yaml = "text: &a " + std::string(20'000, 'x') + "\nlist:\n";
  for (int i = 0; i < 40; ++i) yaml += "  - *a\n";
  CHECK(read_skill(skill_md(yaml), "a"));
  for (int i = 0; i < 40; ++i) yaml += "  - *a\n";
  const auto entry = read_skill(skill_md(yaml), "a");
  REQUIRE_FALSE(entry);
  CHECK(entry.error().code() == errc::limit);
}

TEST_CASE("frontmatter: ten thousand laughs", "[agent]") {
  std::string yaml = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name < 'f'; ++name) {
    const std::string before = std::string("*") + static_cast<char>(name - 1);
    yaml += std::string(1, name) + ": &" + name + " [" + before;
    for (int i = 0; i < 9; ++i) yaml += ", " + before;
    yaml += "]\n";
  }
  CHECK(read_skill(skill_md(yaml), "a").error().code() == errc::limit);
}

TEST_CASE("frontmatter: a file of nothing but names", "[agent]") {
  std::string yaml;
  for (int i = 0; i < 4'000; ++i) yaml += "k" + std::to_string(i) + ": 1\n";
  CHECK(read_skill(skill_md(yaml), "a"));
  for (int i = 0; i < 5'000; ++i) yaml += "l" + std::to_string(i) + ": 1\n";
  CHECK(read_skill(skill_md(yaml), "a").error().code() == errc::limit);
}

TEST_CASE("frontmatter: a large one is refused before its lines are looked at", "[agent]") {
  std::string yaml;
  for (int i = 0; i < 120'000; ++i) yaml += std::to_string(i) + ":b\n";
  CHECK(read_skill(skill_md(yaml), "a").error().code() == errc::limit);
}

TEST_CASE("frontmatter: a line that is JSON5 counts, another is YAML's", "[agent]") {
  const auto text_of = [](const std::string& yaml) {
    const auto frontmatter = read_frontmatter("---\n" + yaml + "---\n");
    REQUIRE(frontmatter);
    return *frontmatter->text("x");
  };
  CHECK(text_of("x: {a: 1}\n") == "{a: 1}");
  CHECK(text_of("x: {a: b}\n") == "{\"a\":\"b\"}");
  CHECK(text_of("y: {a: 1}\nx: z\n") == "z");
}

TEST_CASE("frontmatter: what stands behind it is not looked at", "[agent]") {
  CHECK(end_of_frontmatter("---\na: b\n---\nrest") == 12);
  CHECK(end_of_frontmatter("---\ra: b\r---") == 12);
  CHECK(end_of_frontmatter("---\na: b\n --- \n--") == std::string::npos);
  CHECK(end_of_frontmatter("") == std::string::npos);
  CHECK(read_skill(skill_md("") + std::string(1 << 20, '\xFF') + "\n---\n", "a"));
}

TEST_CASE("frontmatter: whole, as YAML reads it", "[agent]") {
  const auto whole = whole_frontmatter(
      "---\r\nname: a\r\nmetadata: {\"openclaw\": {\"x\": [1, true]}}\r\nlater: "
      "2026-01-01\r\n---\r\nb: c\n");
  REQUIRE(whole);
  CHECK(write_json(*whole) ==
        R"({"name":"a","metadata":{"openclaw":{"x":[1,true]}},"later":"2026-01-01"})");
  CHECK(whole_frontmatter("name: a")->is_null());
  CHECK_FALSE(whole_frontmatter("---\na: [\n---\n"));
}

TEST_CASE("frontmatter: a client of another make takes further fields, but texts alone as metadata",
          "[agent]") {
  const auto judged = [](const std::string& more, JudgedFor judged_for) {
    return broken_rules("---\nname: a\ndescription: d\n" + more + "\n---\n", "a", judged_for);
  };
  const auto for_client = [&](const std::string& more) {
    return judged(more, JudgedFor::a_client);
  };
  CHECK(for_client("metadata: {a: b}\nlicense: MIT\nversion: 2").empty());
  CHECK_FALSE(judged("version: 2", JudgedFor::its_author).empty());
  CHECK(judged("metadata: {\"openclaw\": {}}", JudgedFor::its_author).empty());
  const std::vector<std::string> no_texts{"metadata must map texts to texts"};
  CHECK(for_client("metadata: {\"openclaw\": {}}") == no_texts);
  CHECK(for_client("metadata: {\"a\": 1}") == no_texts);
  CHECK(for_client("license: 2") == std::vector<std::string>{"license must be a text"});
  CHECK(for_client("allowed-tools: [Read]") ==
        std::vector<std::string>{"allowed-tools must be a text"});
}
