#include "base/system/child_environment.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

using Variables = std::vector<std::string>;

const Variables kOurs = {"PATH=/bin",
                         "HOME=/root",
                         "LANG=C",
                         "LC_ALL=C",
                         "XDG_RUNTIME_DIR=/run",
                         "https_proxy=http://proxy",
                         "ANDROID_SERIAL=phone",
                         "ANDROID_KEY_PASSWORD=hunter2-android",
                         "CLAWPERATOR_TOKEN=hunter2-of-serve",
                         "CLAWPERATOR_BIN=/bin/x",
                         "GOG_API_KEY=hunter2-of-gog",
                         "OTHER=other",
                         "OTHERS=others",
                         "EMPTY=",
                         "LD_PRELOAD=/x.so"};

Variables given(EnvironmentRules rules, const std::string& passed = "") {
  Variables ours = kOurs;
  if (!passed.empty()) ours.push_back("CLAWPERATOR_PASS_ENV=" + passed);
  Variables all = child_environment(ours, rules);
  std::erase_if(all, [](const std::string& each) { return each.starts_with("CLAWPERATOR_PASS"); });
  return all;
}

const Variables kCommon = {"PATH=/bin", "HOME=/root",           "LANG=C",
                           "LC_ALL=C",  "XDG_RUNTIME_DIR=/run", "https_proxy=http://proxy"};

Variables common_and(const Variables& more) {
  Variables all = kCommon;
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("child environment: what every program needs, and nothing else", "[device][S4]") {
  CHECK(given({}) == kCommon);
}

TEST_CASE("child environment: what it is known to need, but for secrets", "[device][S4]") {
  CHECK(given({.needed = "ANDROID_* CLAWPERATOR_*"}) ==
        common_and({"ANDROID_SERIAL=phone", "CLAWPERATOR_BIN=/bin/x"}));
  CHECK(given({.needed = "OTHER GOG_API_KEY"}) ==
        common_and({"GOG_API_KEY=hunter2-of-gog", "OTHER=other"}));
}

TEST_CASE("child environment: what the user lets through by name", "[device][S4]") {
  const char* names = GENERATE("GOG_API_KEY,OTHER", "OTHER GOG_API_KEY", " OTHER , GOG_API_KEY,,");
  CHECK(given({}, names) == common_and({"GOG_API_KEY=hunter2-of-gog", "OTHER=other"}));
}

TEST_CASE("child environment: no program gets the server's token", "[device][S4]") {
  CHECK(given({.needed = "CLAWPERATOR_TOKEN"}, "CLAWPERATOR_TOKEN") == kCommon);
}

TEST_CASE("child environment: what is set stands instead of ours", "[device][S4]") {
  const Variables set = {"HOME=/theirs", "LANG", "NEW=new"};
  CHECK(given({.set = set}) == Variables{"PATH=/bin", "LC_ALL=C", "XDG_RUNTIME_DIR=/run",
                                         "https_proxy=http://proxy", "HOME=/theirs", "NEW=new"});
}

TEST_CASE("child environment: the values that no log may show", "[device][S4]") {
  Variables ours = kOurs;
  ours.insert(ours.end(), {"CLAWPERATOR_PASS_ENV=REGION,OTHER", "REGION=hunter2-passed",
                           "SHORT_TOKEN=short", "NOT_NAMED=hunter2-public"});
  CHECK(secrets_in(ours).texts() ==
        Variables{"hunter2-android", "hunter2-of-serve", "hunter2-of-gog", "hunter2-passed"});
}
