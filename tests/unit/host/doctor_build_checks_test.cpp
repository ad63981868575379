#include "runtime/host/doctor/build_checks.hpp"

#include <catch2/catch.hpp>

#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
namespace fs = std::filesystem;
using adbproto::testing::TempFolder;

namespace {

void write_program(const fs::path& path) {
  adbproto::testing::write_text(path, "#!/bin/sh\n");
  fs::permissions(path, fs::perms::owner_all);
}

}  // namespace

TEST_CASE("doctor --full: a checkout has gradlew and settings that name :app and Clawperator",
          "[host]") {
  struct Row {
    const char* name;
    const char* settings;
    const char* text;
    bool is_checkout;
  };
  const auto row = GENERATE(values<Row>({
      {"groovy", "settings.gradle", "rootProject.name = 'Clawperator'\ninclude ':app'", true},
      {"kotlin", "settings.gradle.kts", "rootProject.name = \"clawperator\"\ninclude(\":app\")",
       true},
      {"another project", "settings.gradle", "include ':app'", false},
      {"no app", "settings.gradle", "rootProject.name = 'clawperator'", false},
      {"another file", "build.gradle", "// clawperator :app", false},
      {"empty", "settings.gradle", "", false},
  }));
  INFO(row.name);
  const TempFolder folder;
  adbproto::testing::write_text(folder.path() / row.settings, row.text);
  CHECK_FALSE(find_checkout(folder.path()));
  write_program(folder.path() / "gradlew");
  CHECK(find_checkout(folder.path()).has_value() == row.is_checkout);
  const fs::path below = folder.path() / "app/src/main";
  fs::create_directories(below);
  const auto found = find_checkout(below);
  CHECK(found.has_value() == row.is_checkout);
  if (found) CHECK(*found == folder.path());
}

TEST_CASE("doctor --full: a gradlew that cannot be run is none", "[host]") {
  const TempFolder folder;
  adbproto::testing::write_text(folder.path() / "settings.gradle", "clawperator ':app'");
  adbproto::testing::write_text(folder.path() / "gradlew", "#!/bin/sh\n");
  CHECK_FALSE(find_checkout(folder.path()));
  CHECK_FALSE(find_checkout(""));
  CHECK_FALSE(find_checkout("/"));
}

TEST_CASE("doctor --full: Java prints its version in two schemes", "[host]") {
  struct Row {
    const char* text;
    std::optional<int> version;
  };
  const auto row = GENERATE(values<Row>({
      {"openjdk version \"17.0.9\" 2023-10-17\n", 17},
      {"openjdk version \"21\" 2023-09-19\n", 21},
      {"java version \"1.8.0_392\"\n", 8},
      {"Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"11.0.2\"\n", 11},
      {"", std::nullopt},
      {"version 17", std::nullopt},
      {"version \"", std::nullopt},
      {"version \"x\"", std::nullopt},
      {"version \"-3\"", std::nullopt},
      {"version \"99999999999999999999\"", std::nullopt},
  }));
  INFO(row.text);
  CHECK(parse_java_version(row.text) == row.version);
}
