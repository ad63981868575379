#include "runtime/android/service_command.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "support/command_samples.hpp"

using namespace clawperator;

TEST_CASE("service command: a line for the shell has every word quoted", "[android]") {
  const Words words{"broadcast", "it's", ""};
  CHECK(service_line(Rung::cmd, AndroidService::activity, words) ==
        "cmd activity 'broadcast' 'it'\"'\"'s' ''");
  CHECK(service_line(Rung::am, AndroidService::activity, words).starts_with("am 'broadcast'"));
  CHECK(service_line(Rung::legacy_shell, AndroidService::package, words).starts_with("pm '"));
  CHECK(service_line(Rung::am, AndroidService::settings, words).starts_with("settings '"));
}

TEST_CASE("service command: abb is left out where it would change the words", "[android][R22]") {
  const auto plain = abb_words(AndroidService::package, Words{"list", "packages"});
  REQUIRE(plain);
  CHECK(*plain == Words{"package", "list", "packages"});
  CHECK_FALSE(abb_words(AndroidService::package, Words{"list", ""}));
  const std::size_t others = std::string_view("activity").size() + 2;  // with their ends
  CHECK(abb_words(AndroidService::activity, Words{std::string(65531 - others, 'x')}));
  CHECK_FALSE(abb_words(AndroidService::activity, Words{std::string(65532 - others, 'x')}));
}

TEST_CASE("service command: a package question names its user before the filter", "[android][W2]") {
  CHECK(list_packages_words(0, "x") == Words{"list", "packages", "--user", "0", "x"});
  CHECK(list_versions_words(0, "x") ==
        Words{"list", "packages", "--show-versioncode", "--user", "0", "x"});
}

TEST_CASE("service command: a broadcast reaches a stopped app", "[android][R1]") {
  const Words words = broadcast_words({"A", "P", "{}"});
  CHECK(words.back() == "--include-stopped-packages");
  CHECK(words[0] == "broadcast");
}

TEST_CASE("command table: every line is there once and none is empty", "[android]") {
  std::set<std::string> lines;
  for (const CommandSample& sample : command_samples()) {
    INFO(sample.builder);
    CHECK_FALSE(sample.line.empty());
    CHECK(lines.insert(sample.line).second);
  }
  CHECK(lines.size() >= 15);
}
