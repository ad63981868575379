#include "runtime/host/verbs/apps.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;
using Names = std::vector<std::string>;

TEST_CASE("package list: names in the device's order, whatever stands around them", "[host]") {
  struct Row {
    const char* name;
    std::string listing;
    Names names;
  };
  const auto row = GENERATE(values<Row>({
      {"nothing", "", {}},
      {"as printed", "package:b.b\npackage:a.a\n", {"b.b", "a.a"}},
      {"CRLF", "package:a\r\npackage:b\r\n", {"a", "b"}},
      {"no final line break", "package:a", {"a"}},
      {"blanks", "  package: a \n\n \t\npackage:b\t\n", {"a", "b"}},
      {"nameless", "package:\npackage: \n", {}},
      {"other lines", "WARNING: linker: text\nError: no\npackage:a\n", {"a"}},
      {"only a part of a line", "x package:a\n", {}},
      {"twice", "package:a\npackage:a\n", {"a", "a"}},
  }));
  INFO(row.name);
  CHECK(parse_package_list(row.listing) == row.names);
}
