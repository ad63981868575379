#include "runtime/host/phone_maker.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("vendor hints: each maker's symptom names the maker's own switch",
          "[host][R16][R17][R18][R10]") {
  struct Row {
    const char* maker;
    Symptom symptom;
    const char* names;
  };
  const auto row = GENERATE(values<Row>({
      {"Xiaomi", Symptom::refused, "USB debugging (Security settings)"},
      {"Redmi", Symptom::refused, "USB debugging (Security settings)"},
      {"POCO", Symptom::install_blocked, "Install via USB"},
      {"OPPO", Symptom::refused, "Disable permission monitoring"},
      {"realme", Symptom::refused, "Disable permission monitoring"},
      {"OnePlus", Symptom::refused, "Disable permission monitoring"},
      {"samsung", Symptom::install_blocked, "Auto Blocker"},
      {"HUAWEI", Symptom::silent_log, "*#*#2846579#*#*"},
      {"HONOR", Symptom::silent_app, "Manage manually"},
      {"Xiaomi", Symptom::silent_app, "Autostart"},
      {"Google", Symptom::silent_log, "Logger buffer sizes"},
      {"Google", Symptom::install_blocked, "Install via USB"},
      {"", Symptom::silent_app, "battery optimization"},
  }));
  INFO(row.maker);
  CHECK_THAT(hint_for(row.maker, 34, row.symptom), Catch::Contains(row.names));
}

TEST_CASE("vendor hints: no phone gets another maker's advice", "[host][R16]") {
  for (const Symptom symptom : {Symptom::refused, Symptom::install_blocked, Symptom::silent_app}) {
    const std::string hint = hint_for("Google", 34, symptom);
    for (const char* theirs :
         {"Mi account", "permission monitoring", "Auto Blocker", "Autostart"}) {
      CHECK_THAT(hint, !Catch::Contains(theirs));
    }
    CHECK(hints_for("Xiaomi", 34, symptom).size() == 1);
  }
}

TEST_CASE("vendor hints: restricted settings are Android 13's and newer", "[host][R3]") {
  CHECK_THAT(hint_for("Google", 33, Symptom::service_struck),
             Catch::Contains("Allow restricted settings"));
  CHECK_THAT(hint_for("Google", 32, Symptom::service_struck),
             !Catch::Contains("restricted settings"));
  CHECK_THAT(hint_for("", 0, Symptom::service_struck), Catch::Contains("unlock it once"));
}

TEST_CASE("vendor hints: a refusal is recognised by the device's own words", "[host][R16][R17]") {
  struct Row {
    const char* text;
    std::optional<Symptom> symptom;
  };
  const auto row = GENERATE(values<Row>({
      {"java.lang.SecurityException: Permission denial: writing to settings requires: "
       "android.permission.WRITE_SECURE_SETTINGS",
       Symptom::refused},
      {"Neither user 2000 nor current process has android.permission.GRANT_RUNTIME_PERMISSIONS.",
       Symptom::refused},
      {"Failure [INSTALL_FAILED_USER_RESTRICTED: Install canceled by user]",
       Symptom::install_blocked},
      {"Failure [INSTALL_FAILED_VERIFICATION_FAILURE]", Symptom::install_blocked},
      {"Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", std::nullopt},
      {"Unknown package: com.x", std::nullopt},
      {"", std::nullopt},
  }));
  INFO(row.text);
  CHECK(symptom_of(row.text) == row.symptom);
}

TEST_CASE("phone maker: two lines, and whatever else a device prints", "[host]") {
  CHECK(parse_maker("Xiaomi\n33\n").name == "Xiaomi");
  CHECK(parse_maker("Xiaomi\r\n33\r\n").sdk == 33);
  CHECK(parse_maker("").name.empty());
  CHECK(parse_maker("a\nb\n").sdk == 0);
  CHECK(parse_maker("a\n-5\n").sdk == 0);
  CHECK(parse_maker(std::string(100'000, 'x')).name.size() == 64);
}
