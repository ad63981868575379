#include "runtime/host/verbs/apps.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

// As Android 9 describes a system app that was updated: twice, the older one hidden.
constexpr std::string_view kUpdatedSystemApp =
    "Activity Resolver Table:\n"
    "  Non-Data Actions:\n"
    "      android.intent.action.MAIN:\n"
    "        2f3a4b com.x/.Main filter 9d8c7e\n"
    "\n"
    "Packages:\n"
    "  Package [com.x.y] (1111111):\n"
    "    versionCode=1 minSdk=1 targetSdk=1\n"
    "  Package [com.x] (2222222):\n"
    "    userId=10042\n"
    "    pkg=Package{a1b2c3 com.x}\n"
    "    codePath=/data/app/com.x-Zk3_1a==\n"
    "    versionCode=200 minSdk=23 targetSdk=28\n"
    "    versionName=2.0 beta\n"
    "    flags=[ SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA UPDATED_SYSTEM_APP ]\n"
    "    firstInstallTime=2020-01-01 00:00:00\n"
    "    lastUpdateTime=2021-02-03 04:05:06\n"
    "    requested permissions:\n"
    "      android.permission.INTERNET\n"
    "      android.permission.CAMERA: restricted=true\n"
    "    install permissions:\n"
    "      android.permission.INTERNET: granted=true\n"
    "    User 0: ceDataInode=1 installed=true hidden=false suspended=false stopped=true "
    "notLaunched=false enabled=3 instant=false virtual=false\n"
    "      gids=[3003]\n"
    "      runtime permissions:\n"
    "        android.permission.CAMERA: granted=true, flags=[ USER_SET ]\n"
    "        android.permission.RECORD_AUDIO: granted=false\n"
    "      disabledComponents:\n"
    "        com.x.Other: granted=true\n"
    "    User 10: ceDataInode=0 installed=false hidden=false suspended=false stopped=false "
    "notLaunched=true enabled=0 instant=false virtual=false\n"
    "      runtime permissions:\n"
    "        android.permission.CAMERA: granted=false\n"
    "\n"
    "Hidden system packages:\n"
    "  Package [com.x] (3333333):\n"
    "    versionCode=100 minSdk=23 targetSdk=27\n"
    "    flags=[ DEBUGGABLE ]\n";

// Android 14: the app's id has another name, and each user has times of their own.
constexpr std::string_view kOfAndroid14 =
    "Packages:\r\n"
    "  Package [a.b] (2222222):\r\n"
    "    appId=10101\r\n"
    "    codePath=/data/app/~~Q==/a.b-R==\r\n"
    "    versionCode=3 minSdk=21 targetSdk=34\r\n"
    "    versionName=3\r\n"
    "    flags=[ DEBUGGABLE HAS_CODE ]\r\n"
    "    User 0: ceDataInode=1 deDataInode=2 installed=true hidden=false stopped=false "
    "enabled=0\r\n"
    "      firstInstallTime=2024-05-06 07:08:09\r\n"
    "      runtime permissions:\r\n"
    "    User 10: installed=true stopped=true enabled=1\r\n"
    "      firstInstallTime=2025-01-01 00:00:00\r\n";

}  // namespace

TEST_CASE("app facts: the installed package of that user, not a hidden or another one", "[host]") {
  const auto facts = parse_app_facts(kUpdatedSystemApp, "com.x", 0);
  REQUIRE(facts);
  CHECK(facts->version_code == 200);
  CHECK(facts->version_name == "2.0 beta");
  CHECK(facts->target_sdk == 28);
  CHECK(facts->uid == 10042);
  CHECK(facts->path == "/data/app/com.x-Zk3_1a==");
  CHECK(facts->first_installed == "2020-01-01 00:00:00");
  CHECK(facts->last_updated == "2021-02-03 04:05:06");
  CHECK(facts->system);
  CHECK_FALSE(facts->debuggable);
  CHECK(facts->stopped == true);
  CHECK(facts->enabled == false);
  CHECK(facts->permissions ==
        std::vector<AppPermission>{{"android.permission.CAMERA", true},
                                   {"android.permission.RECORD_AUDIO", false}});
  CHECK(is_granted(*facts, "android.permission.CAMERA") == true);
  CHECK(is_granted(*facts, "android.permission.RECORD_AUDIO") == false);
  CHECK(is_granted(*facts, "android.permission.INTERNET") == std::nullopt);
}

TEST_CASE("app facts: what is not installed for the user is not there", "[host]") {
  CHECK_FALSE(parse_app_facts(kUpdatedSystemApp, "com.x", 10));
  CHECK_FALSE(parse_app_facts(kUpdatedSystemApp, "com", 0));
  CHECK_FALSE(parse_app_facts("Unable to find package: com.x\n", "com.x", 0));
  CHECK_FALSE(parse_app_facts("", "com.x", 0));
}

TEST_CASE("app facts: as Android 14 prints them", "[host]") {
  const auto facts = parse_app_facts(kOfAndroid14, "a.b", 10);
  REQUIRE(facts);
  CHECK(facts->uid == 10101);
  CHECK(facts->first_installed == "2025-01-01 00:00:00");
  CHECK(facts->stopped == true);
  CHECK(facts->enabled == true);
  CHECK(facts->debuggable);
  CHECK(facts->permissions.empty());
  CHECK(parse_app_facts(kOfAndroid14, "a.b", 0)->first_installed == "2024-05-06 07:08:09");
}

TEST_CASE("app rows: in any order, with or without numbers", "[host]") {
  CHECK(parse_app_rows("package:a.b versionCode:12 uid:10001\r\n"
                       "package:c uid:1000,1010000\n"
                       "WARNING: linker\n"
                       "package:d\n"
                       "package:e versionCode:x\n"
                       "package:\n") ==
        std::vector<AppRow>{{"a.b", 12, 10001}, {"c", {}, 1000}, {"d", {}, {}}, {"e", {}, {}}});
}

TEST_CASE("package paths: what was installed in between has a new one", "[host]") {
  const auto before = parse_package_paths(
      "package:/data/app/~~a==/x.y-1==/base.apk=x.y\npackage:/system/app/S.apk=s\npackage:no\n");
  CHECK(before == std::vector<PackagePath>{{"x.y", "/data/app/~~a==/x.y-1==/base.apk"},
                                           {"s", "/system/app/S.apk"}});
  const auto after = parse_package_paths(
      "package:/data/app/~~b==/x.y-2==/base.apk=x.y\npackage:/system/app/S.apk=s\n");
  CHECK(new_paths(before, after) ==
        std::vector<PackagePath>{{"x.y", "/data/app/~~b==/x.y-2==/base.apk"}});
  CHECK(new_paths(after, after).empty());
}

TEST_CASE("process ids: the numbers that pidof prints", "[host]") {
  CHECK(parse_process_ids("123 4567\r\n") == std::vector<std::int64_t>{123, 4567});
  CHECK(parse_process_ids("").empty());
  CHECK(parse_process_ids("pidof: not found\n-3 0").empty());
}
