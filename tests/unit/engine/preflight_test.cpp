#include "runtime/engine/preflight.hpp"

#include <catch2/catch.hpp>

#include "runtime/engine/errc.hpp"

using namespace clawperator;

TEST_CASE("packages: the version behind a name", "[engine]") {
  const auto apps = read_packages(
      "package:com.clawperator.operator versionCode:1205900\n"
      "package:com.x\npackage:com.y versionCode:x\r\npackage:com.z versionCode:7\n");
  REQUIRE(apps.size() == 4);
  CHECK(apps[0].package == "com.clawperator.operator");
  CHECK((apps[0].version == OperatorVersion{0, 12, 5}));
  CHECK(apps[1].package == "com.x");
  CHECK(apps[2].package == "com.y");
  CHECK(apps[3].package == "com.z");
  for (std::size_t i = 1; i < apps.size(); ++i) CHECK_FALSE(apps[i].version);
}

TEST_CASE("packages: which app is meant", "[engine][41]") {
  const std::string claw = "com.clawperator.operator";
  const std::string andro = "com.androperator.operator";
  struct Row {
    const char* name;
    std::vector<std::string> there;
    NamedOperator wanted;
    std::string package;
    bool installed, alternate;
    std::size_t rivals;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"none", {}, {}, claw, false, false, 0},
      {"the older one", {claw}, {}, claw, true, false, 0},
      {"the newer one", {andro}, {}, andro, true, false, 0},
      {"both", {andro, claw}, {}, claw, true, false, 2},
      {"both, one named", {andro, claw}, andro, andro, true, false, 0},
      {"a release goes before a debug variant", {claw + ".dev", andro}, {}, andro, true, false, 0},
      {"a debug variant alone", {andro + ".dev"}, {}, andro, false, true, 0},
      {"both variants of one", {claw, claw + ".dev"}, {}, claw, true, true, 0},
      {"another one is named", {claw}, andro, andro, false, false, 0},
      {"the debug variant is named",
       {claw, claw + ".dev"},
       claw + ".dev",
       claw + ".dev",
       true,
       true,
       0},
  }));
  INFO(row.name);
  FoundApps apps;
  for (const std::string& package : row.there) apps.push_back({package, OperatorVersion{1, 0, 0}});
  const PackageCheck check = choose_operator(apps, row.wanted);
  CHECK(check.package == row.package);
  CHECK(check.installed == row.installed);
  CHECK(check.alternate_installed == row.alternate);
  CHECK(check.rivals.size() == row.rivals);
  CHECK(check.version.has_value() == row.installed);
}

TEST_CASE("features: an app that is too old is not sent what it would not do", "[engine][41]") {
  const OperatorFeature container{.name = "container",
                                  .since = {0, 10, 0},
                                  .command = "exec",
                                  .missing = "It is ignored.",
                                  .too_old = TooOld::refused};
  const OperatorFeature clear{.name = "clear",
                              .since = {0, 7, 0},
                              .command = "type",
                              .missing = "It is ignored.",
                              .too_old = TooOld::ignored};
  const Action action(Click{}, "a1");
  const std::vector<FeatureUse> harmless{{&clear, &action}};
  const std::vector<FeatureUse> strict{{&clear, &action}, {&container, &action}};
  CHECK_FALSE(needs_version(harmless));
  CHECK(needs_version(strict));
  CHECK(judge_features(strict, OperatorVersion{0, 10, 0})->empty());
  CHECK(judge_features(harmless, OperatorVersion{0, 5, 3})->size() == 1);
  CHECK(judge_features(harmless, std::nullopt)->empty());
  for (const std::optional<OperatorVersion>& version :
       {std::optional(OperatorVersion{0, 9, 5}), std::optional<OperatorVersion>()}) {
    const auto refused = judge_features(strict, version);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code() == errc::operator_feature_missing);
    CHECK(refused.error().members().contains("\"needs\":\"0.10.0\""));
    CHECK(refused.error().members().contains("\"actionId\":\"a1\""));
  }
}

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
