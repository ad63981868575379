#include "runtime/engine/preflight.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("packages: whole names only, whatever the line ends", "[engine]") {
  struct Row {
    const char* name;
    const char* listing;
    bool installed;
    bool alternate;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", "", false, false},
      {"exact", "package:com.x\n", true, false},
      {"no final line break", "package:com.x", true, false},
      {"CRLF", "package:com.x\r\npackage:com.x.dev\r\n", true, true},
      {"substring lines", "package:com.x.y\npackage:my.com.x\npackage:com.xx\n", false, false},
      {"other order", "package:com.x.dev\npackage:com.x\n", true, true},
      {"trailing blanks", "package:com.x \t\n", true, false},
      {"no prefix", "com.x\n", false, false},
      {"warnings between", "WARNING: linker\npackage:com.x\n", true, false},
  }));
  INFO(row.name);
  const auto check = find_packages(row.listing, "com.x");
  CHECK(check.installed == row.installed);
  CHECK(check.alternate_installed == row.alternate);
}
