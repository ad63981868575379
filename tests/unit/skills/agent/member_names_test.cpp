#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "skills/agent/errc.hpp"
#include "skills/agent/unpack.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::unpack;

TEST_CASE("unpack: the name decides an archive's kind", "[unpack]") {
  CHECK(format_named("tar.gz") == Format::tar_gz);
  CHECK(format_named("tgz") == Format::tar_gz);
  CHECK(format_named(" TAR.BZ2 ") == Format::tar_bz2);
  CHECK(format_named("tbz2") == Format::tar_bz2);
  CHECK(format_named("zip") == Format::zip);
  for (const char* name : {"", "tar", "gz", "rar", "7z", ".zip", "tar.xz"}) {
    CAPTURE(name);
    CHECK_FALSE(format_named(name));
  }
  CHECK(format_of_file("tool-1.0.tar.gz") == Format::tar_gz);
  CHECK(format_of_file("TOOL.TGZ") == Format::tar_gz);
  CHECK(format_of_file("a.tbz2") == Format::tar_bz2);
  CHECK(format_of_file("a.tar.bz2") == Format::tar_bz2);
  CHECK(format_of_file("a.zip") == Format::zip);
  for (const char* name : {"", "zip", "azip", "a.zip.sig", "a.gz", "a.tar", "a.tar.xz"}) {
    CAPTURE(name);
    CHECK_FALSE(format_of_file(name));
  }
}

TEST_CASE("unpack: parts are taken off as GNU tar takes them off", "[unpack]") {
  struct Row {
    unsigned count;
    std::string name;
    std::string path;
  };
  const Row rows[] = {
      {0, "a/b", "a/b"},   {0, "./a/b", "a/b"}, {0, "a//b", "a/b"},        {0, "a/./b", "a/b"},
      {0, "a/", "a"},      {0, "./", ""},       {1, "a/b/c", "b/c"},       {1, "a//b", "b"},
      {1, "a", ""},        {1, "a/", ""},       {2, "a/b/c", "c"},         {3, "a/b/c", ""},
      {1, "./a/b", "a/b"}, {2, "./a/b", "b"},   {0, "..a/b..", "..a/b.."}, {0, "...", "..."},
  };
  for (const Row& row : rows) {
    CAPTURE(row.count, row.name);
    CHECK(strip_components(row.count)(row.name) == row.path);
  }
}

TEST_CASE("unpack: a name that leads elsewhere refuses the archive, stripped or not", "[unpack]") {
  for (const char* name :
       {"/etc/passwd", "/", "..", "../x", "a/../b", "a/..", "./..", "a\\b", "..\\x", "C:\\x"}) {
    for (const unsigned count : {0U, 1U, 9U}) {
      CAPTURE(name, count);
      const auto path = strip_components(count)(name);
      REQUIRE_FALSE(path);
      CHECK(path.error().code() == errc::archive_refused);
    }
  }
}

TEST_CASE("unpack: what a rule makes of a name must be a path below the folder", "[unpack]") {
  const std::string part(255, 'p');
  std::string deep = "1";
  for (int i = 1; i < 64; ++i) deep += "/1";
  for (const std::string& path : {std::string("a"), std::string("a/b.c"), part, part + "/x", deep,
                                  std::string("\xc3\xa9 and blanks"), std::string("-rf")}) {
    CAPTURE(path);
    CHECK(check_member_path(path));
  }
  const std::string long_path = part + "/" + part + "/" + part + "/" + part + "/" + part;
  for (const std::string& path :
       {std::string(), std::string("/a"), std::string("a/"), std::string("a//b"), std::string("."),
        std::string("a/./b"), std::string(".."), std::string("a/../b"), std::string("a/.."),
        part + "p", long_path, deep + "/1", std::string("a\nb"), std::string("a\tb"),
        std::string("a\x1b[2J"), std::string("a\0b", 3), std::string("a\xff"),
        std::string("a\xe2\x80\xae"
                    "b")}) {
    CAPTURE(path);
    const auto checked = check_member_path(path);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code() == errc::archive_refused);
  }
}

TEST_CASE("unpack: a .git at any depth refuses the archive", "[unpack][A6]") {
  for (const char* path : {".git", ".git/config", "a/.GIT/config", "a/b/git~1", "a/.git. /hooks/x",
                           ".git::$DATA", "a/.g\xe2\x80\x8dit/config"}) {
    CAPTURE(path);
    const auto checked = check_member_path(path);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code() == errc::archive_refused);
  }
  for (const char* path : {".gitmodules", ".gitignore", ".github/x", "a.git/config"}) {
    CAPTURE(path);
    CHECK(check_member_path(path));
  }
}

TEST_CASE("unpack: a message shows a name that acts without its acts", "[unpack]") {
  CHECK(shown_name("a b") == "'a b'");
  CHECK(shown_name("a\x1b[2J\n\t\xff") == std::string("'a?[2J") + std::string(3, '?') + "'");
  CHECK(shown_name(std::string(300, 'x')) == "'" + std::string(200, 'x') + "...'");
}
