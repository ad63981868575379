#include "skills/hub/lock_file.hpp"

#include <catch2/catch.hpp>

using namespace clawperator::hub;

TEST_CASE("hub lock: as the clients write it") {
  LockFile lock;
  CHECK(lock.text() == "{\n  \"version\": 1,\n  \"skills\": {}\n}\n");
  lock.set("demo", "1.2.0", 1769000000000);
  CHECK(lock.text() ==
        "{\n  \"version\": 1,\n  \"skills\": {\n    \"demo\": {\n      \"version\": \"1.2.0\",\n"
        "      \"installedAt\": 1769000000000\n    }\n  }\n}\n");
}

TEST_CASE("hub lock: what others have put there stays") {
  const char* text =
      R"({"version":1,"more":[1,2.5],"skills":{"a":{"version":null,"installedAt":7,"pinned":true,"pinReason":"x"}}})";
  LockFile lock = LockFile::read(text);
  REQUIRE_FALSE(lock.was_unreadable());
  REQUIRE(lock.skills().size() == 1);
  CHECK(lock.skills()[0].version == std::nullopt);
  CHECK(lock.skills()[0].installed_at == 7);
  CHECK(lock.skills()[0].pinned);
  lock.set("a", "2.0.0", 8);
  CHECK(
      lock.text() ==
      "{\n  \"version\": 1,\n  \"more\": [\n    1,\n    2.5\n  ],\n  \"skills\": {\n    \"a\": {\n"
      "      \"version\": \"2.0.0\",\n      \"installedAt\": 8,\n      \"pinned\": true,\n"
      "      \"pinReason\": \"x\"\n    }\n  }\n}\n");
  CHECK(lock.find("a")->version == "2.0.0");
  CHECK_FALSE(lock.find("b"));
}

TEST_CASE("hub lock: what is none is an empty one, and says so") {
  for (const char* text :
       {"", "{", "null", "[]", "{}", R"({"version":1})", R"({"version":1,"skills":[]})",
        R"({"version":2,"skills":{}})", R"({"version":"1","skills":{}})",
        R"({"version":1,"skills":{"a":1}})", R"({"version":1,"skills":{"a":{"version":"1"}}})",
        R"({"version":1,"skills":{"a":{"version":1,"installedAt":1}}})",
        R"({"version":1,"skills":{"a":{"installedAt":1}}})",
        R"({"version":1,"skills":{"a":{"version":"1","installedAt":"1"}}})"}) {
    CAPTURE(text);
    const LockFile lock = LockFile::read(text);
    CHECK(lock.was_unreadable());
    CHECK(lock.skills().empty());
  }
}

TEST_CASE("hub origin: written and read") {
  const Origin origin{"https://clawdhub.com", "demo", "1.2.0", 1769000000000};
  const std::string text = origin_text(origin);
  CHECK(text ==
        "{\n  \"version\": 1,\n  \"registry\": \"https://clawdhub.com\",\n  \"slug\": \"demo\",\n"
        "  \"installedVersion\": \"1.2.0\",\n  \"installedAt\": 1769000000000\n}\n");
  const auto read = read_origin(text);
  REQUIRE(read);
  CHECK(read->registry == origin.registry);
  CHECK(read->slug == origin.slug);
  CHECK(read->version == origin.version);
  CHECK(read->installed_at == origin.installed_at);
  CHECK(read->fingerprint.empty());
  Origin noted = origin;
  noted.fingerprint = "ab12";
  CHECK(read_origin(origin_text(noted))->fingerprint == "ab12");
}

TEST_CASE("hub origin: anything missing or of another type is none") {
  for (const char* text :
       {"", "[]",
        R"({"version":2,"registry":"r","slug":"s","installedVersion":"1","installedAt":1})",
        R"({"version":1,"registry":"","slug":"s","installedVersion":"1","installedAt":1})",
        R"({"version":1,"slug":"s","installedVersion":"1","installedAt":1})",
        R"({"version":1,"registry":"r","slug":7,"installedVersion":"1","installedAt":1})",
        R"({"version":1,"registry":"r","slug":"s","installedVersion":null,"installedAt":1})",
        R"({"version":1,"registry":"r","slug":"s","installedVersion":"1","installedAt":"1"})",
        R"({"version":1,"registry":"r","slug":"s","installedVersion":"1","installedAt":1e300})"}) {
    CAPTURE(text);
    CHECK_FALSE(read_origin(text));
  }
}
