#include "skills/hub/local_skill.hpp"

#include <catch2/catch.hpp>

using clawperator::hub::IgnoreRules;

namespace {

// Expected values: gitignore(5), and `git check-ignore` where it is silent.
bool ignored(std::string_view rules, std::string_view path) {
  IgnoreRules all;
  all.add(rules);
  return all.ignores(path);
}

}  // namespace

TEST_CASE("hub ignore rules: a name is meant at any depth, a path at its place") {
  CHECK(ignored("a.md", "a.md"));
  CHECK(ignored("a.md", "x/y/a.md"));
  CHECK_FALSE(ignored("a.md", "a.md.txt"));
  CHECK(ignored("/a.md", "a.md"));
  CHECK_FALSE(ignored("/a.md", "x/a.md"));
  CHECK(ignored("x/a.md", "x/a.md"));
  CHECK_FALSE(ignored("x/a.md", "y/x/a.md"));
}

TEST_CASE("hub ignore rules: what stands below an ignored folder is ignored for good") {
  CHECK(ignored("build/", "build/a.md"));
  CHECK(ignored("build/", "x/build/y/a.md"));
  CHECK_FALSE(ignored("build/", "build"));
  CHECK(ignored("build", "build"));
  CHECK(ignored("build/\n!build/a.md", "build/a.md"));
}

TEST_CASE("hub ignore rules: the last line that fits decides") {
  CHECK_FALSE(ignored("*.md\n!keep.md", "keep.md"));
  CHECK(ignored("*.md\n!keep.md", "other.md"));
  CHECK(ignored("!keep.md\n*.md", "keep.md"));
}

TEST_CASE("hub ignore rules: stars, question marks and classes") {
  CHECK(ignored("*.log", "a/b.log"));
  CHECK_FALSE(ignored("a/*.log", "a/b/c.log"));
  CHECK(ignored("a?c", "abc"));
  CHECK_FALSE(ignored("a?c", "a/c"));
  CHECK(ignored("[a-c]x", "bx"));
  CHECK_FALSE(ignored("[!a-c]x", "bx"));
  CHECK(ignored("[]]x", "]x"));
  CHECK(ignored("*a*b*c*", "xxaxxbxxcxx"));
  CHECK_FALSE(ignored("*a*b*c*", "xxcxxbxxaxx"));
  CHECK(ignored("[a", "[a"));
}

TEST_CASE("hub ignore rules: two stars are any number of folders") {
  CHECK(ignored("**/x", "x"));
  CHECK(ignored("**/x", "a/b/x"));
  CHECK(ignored("a/**", "a/b/c"));
  CHECK_FALSE(ignored("a/**", "a"));
  CHECK(ignored("a/**/z", "a/z"));
  CHECK(ignored("a/**/z", "a/b/c/z"));
  CHECK_FALSE(ignored("a/**/z", "b/a/z"));
}

TEST_CASE("hub ignore rules: comments, blanks, escapes and case") {
  CHECK_FALSE(ignored("# a.md\n\n   \n", "a.md"));
  CHECK(ignored("\\#a", "#a"));
  CHECK(ignored("\\!a", "!a"));
  CHECK(ignored("a.md  ", "a.md"));
  CHECK(ignored("a.md\r\nb.md\r\n", "b.md"));
  CHECK(ignored("README.md", "readme.MD"));
  CHECK_FALSE(ignored("/", "a"));
}

TEST_CASE("hub ignore rules: a line made to take for ever does not") {
  std::string line;
  for (int i = 0; i < 200; ++i) line += "*a";
  CHECK_FALSE(ignored(line + "b", std::string(5000, 'a')));
  std::string folders;
  for (int i = 0; i < 150; ++i) folders += "**/a/";
  std::string path;
  for (int i = 0; i < 500; ++i) path += "a/";
  CHECK_FALSE(ignored(folders + "b", path + "c"));
}
