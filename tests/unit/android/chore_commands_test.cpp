#include "runtime/android/chore_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("chore commands: each names the user it is for", "[host][R23][W2]") {
  CHECK(list_packages_words(10, "com.x") == Words{"list", "packages", "--user", "10", "com.x"});
  CHECK(all_packages_words(10, PackageKind::third_party) ==
        Words{"list", "packages", "--user", "10", "-3"});
  CHECK(grant_words(10, "com.x", "P") == Words{"grant", "--user", "10", "com.x", "P"});
  CHECK(read_setting_words(10, {"secure", "k"}) == Words{"--user", "10", "get", "secure", "k"});
  CHECK(put_setting_words(0, {"secure", "k"}, "v") ==
        Words{"--user", "0", "put", "secure", "k", "v"});
  CHECK(allow_listener_line(10, "p/c") == "cmd notification allow_listener 'p/c' 10");
  CHECK(allow_restricted_settings_line(10, "com.x") ==
        "cmd appops set --user 10 'com.x' ACCESS_RESTRICTED_SETTINGS allow");
}

TEST_CASE("chore commands: a service is off the list for a second, whatever becomes of the link",
          "[host][R4]") {
  CHECK(
      relisting_line(0, {"list", "on", "a/b", "a/b:c/d"}) ==
      "trap '' HUP; settings --user 0 put secure list 'a/b'; settings --user 0 put secure on '1'; "
      "sleep 1; settings --user 0 put secure list 'a/b:c/d'");
  CHECK(relisting_line(10, {"list", "on", "", "c/d"}) ==
        "trap '' HUP; settings --user 10 delete secure list; settings --user 10 put secure on '1'; "
        "sleep 1; settings --user 10 put secure list 'c/d'");
}

// In Android's sh an unquoted bar in a pattern separates alternatives.
TEST_CASE("chore commands: no line has a pattern that Android's sh reads otherwise", "[host]") {
  for (const std::string& line :
       {log_probe_line(), boot_state_line(), maker_line(), notification_state_line(),
        accessibility_state_line(), sdk_line(), screen_size_line(), screen_density_line(),
        private_tail_line("p", 10, "f"), file_as_app_line("p", "/f"), package_state_line("p")}) {
    INFO(line);
    CHECK(line.find("${") == std::string::npos);
    CHECK(line.find("(@") == std::string::npos);
  }
}
