#include "skills/hub/names.hpp"

#include <catch2/catch.hpp>
#include <compare>

#include "skills/agent/errc.hpp"

using namespace clawperator::hub;
namespace errc = base::errc;

TEST_CASE("hub slug: trimmed, in lower case, and nothing that leads elsewhere") {
  CHECK(checked_slug(" My-Skill-2 ").value() == "my-skill-2");
  for (const char* bad :
       {"", " ", "..", ".", "../x", "a/b", "a\\b", "-a", "a_b", "a.b", ".a", "\xc3\xa4", "a b"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(checked_slug(bad));
    CHECK(checked_slug(bad).error().code() == errc::usage);
  }
  CHECK(checked_slug(std::string(128, 'a')));
  CHECK_FALSE(checked_slug(std::string(129, 'a')));
}

TEST_CASE("hub name: with an owner or without") {
  CHECK(checked_name(" My-Skill ").value().text() == "my-skill");
  const auto owned = checked_name("@Some.Body_1/My-Skill");
  REQUIRE(owned);
  CHECK(owned->owner == "some.body_1");
  CHECK(owned->slug == "my-skill");
  CHECK(owned->text() == "@some.body_1/my-skill");
  for (const char* bad :
       {"@", "@/a", "@a", "@a/", "@a/b/c", "@../a", "@.a/b", "@a/../b", "a/b", "@a b/c"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(checked_name(bad));
    CHECK(checked_name(bad).error().code() == errc::usage);
  }
}

TEST_CASE("hub source: a repository and its ref") {
  struct Case {
    const char* given;
    const char* url;
    const char* ref;
    const char* name;
  };
  for (const Case& each : {
           Case{"git:owner/repo", "https://github.com/owner/repo", "", "repo"},
           Case{"git:owner/repo.git@v1.0", "https://github.com/owner/repo.git", "v1.0", "repo"},
           Case{"git:owner/repo@feature/x", "https://github.com/owner/repo", "feature/x", "repo"},
           Case{"git:https://a@example.org/r", "https://a@example.org/r", "", "r"},
           Case{"git:https://example.org/a/r@main", "https://example.org/a/r", "main", "r"},
           Case{"git:/srv/r.git@0123456", "/srv/r.git", "0123456", "r"},
           Case{"git:file:///srv/r/", "file:///srv/r/", "", "r"},
       }) {
    CAPTURE(each.given);
    const auto source = read_git_source(each.given);
    REQUIRE(source);
    CHECK(source->url == each.url);
    CHECK(source->ref == each.ref);
    CHECK(source->name == each.name);
  }
  for (const char* bad : {"git:", "git:a", "git:a/b/c", "git:a/b@", "git:../b/c@", "git:a/..",
                          "git:x y/z", "git:git@example.org:a/b"}) {
    CAPTURE(bad);
    CHECK_FALSE(read_git_source(bad));
  }
}

TEST_CASE("hub slug: made of a folder's name") {
  CHECK(slug_of_folder("My  Skill_v2") == "my-skill-v2");
  CHECK(slug_of_folder("--a--b--") == "a-b");
  CHECK(slug_of_folder("...").empty());
  CHECK(title_of_folder("my-skill__v2") == "My Skill V2");
  CHECK(title_of_folder("---").empty());
}

TEST_CASE("hub version: as semver 2.0 has them") {
  for (const char* good : {"0.0.0", "1.2.3", "v1.0.0", "1.2.3-alpha.1", "1.2.3-0a.-",
                           "1.2.3+build.007", "1.2.3-rc.1+5", "9007199254740991.0.0"}) {
    CAPTURE(good);
    CHECK(is_version(good));
  }
  for (const char* bad :
       {"", "1", "1.2", "v1", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+",
        "a.b.c", "1.2.x", "vv1.0.0", "9007199254740992.0.0", "1.2.-3", "1.2.3-\xc3\xa4"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_version(bad));
  }
}

TEST_CASE("hub version: the order that semver.org gives") {
  const char* in_order[] = {"0.9.9",      "1.0.0-alpha",  "1.0.0-alpha.1", "1.0.0-alpha.beta",
                            "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                            "1.0.0",      "1.0.10",       "1.2.0",         "1.10.0",
                            "2.0.0"};
  for (std::size_t i = 0; i + 1 < std::size(in_order); ++i) {
    CAPTURE(in_order[i]);
    CHECK(std::is_lt(compare_versions(in_order[i], in_order[i + 1])));
    CHECK(std::is_gt(compare_versions(in_order[i + 1], in_order[i])));
  }
  CHECK(std::is_eq(compare_versions("v1.0.0", "1.0.0+build")));
}

TEST_CASE("hub member: names are taken as the clients take them, or refuse the archive") {
  CHECK(member_path("SKILL.md").value() == "SKILL.md");
  CHECK(member_path("./a/b.md").value() == "a/b.md");
  CHECK(member_path(".//a.md").value() == "a.md");
  CHECK(member_path("//abs.md").value() == "abs.md");
  CHECK(member_path("a/..b/c..d").value() == "a/..b/c..d");
  CHECK(member_path("...").value() == "...");
  for (const char* left_out : {"", "/", "./", "a/", "a/b/", ".clawdhub/origin.json", ".ClawHub/x",
                               "/.clawhub/lock.json"}) {
    CAPTURE(left_out);
    REQUIRE(member_path(left_out));
    CHECK(member_path(left_out)->empty());
  }
  for (const char* bad :
       {"..", "../a", "a/../b", "a/..", "a//b", "a/./b", "a\\b", "././a", "/../a"}) {
    CAPTURE(bad);
    REQUIRE_FALSE(member_path(bad));
    CHECK(member_path(bad).error().code() == errc::archive_refused);
  }
}
