#include <catch2/catch.hpp>

#include "simdroid/operator/operator_version.hpp"

using namespace simdroid;

TEST_CASE("operator versions: x.y.z, also of a debug build, and nothing else") {
  CHECK(parse_operator_version("0.12.5") == OperatorVersion{0, 12, 5});
  CHECK(parse_operator_version("1.0.0-d") == OperatorVersion{1, 0, 0});
  for (const char* text : {"", "1", "1.2", "1.2.3.4", "1..3", "a.b.c", "0.5.9-rc.1", "1.2.3 "}) {
    INFO(text);
    CHECK_FALSE(parse_operator_version(text));
  }
  CHECK(operator_version_code("0.10.1") == 1'001'900);
  CHECK(operator_version_code("0.5.3-d") == 503'900);
  CHECK(operator_version_code("banana") == 1);
}

TEST_CASE("operator versions: each capability begins with its version") {
  struct Row {
    const char* before;
    const char* since;
    bool Capabilities::* capability;
  };
  const auto row = GENERATE(values<Row>({{"0.6.5", "0.7.0", &Capabilities::device_state},
                                         {"0.6.5", "0.7.0", &Capabilities::clears_text},
                                         {"0.9.1", "0.9.2", &Capabilities::open_app_waits},
                                         {"0.9.2", "0.9.3", &Capabilities::tagged_hierarchy},
                                         {"0.9.2", "0.9.3", &Capabilities::readable_tags},
                                         {"0.9.3", "0.9.4", &Capabilities::snapshot_name},
                                         {"0.9.5", "0.10.0", &Capabilities::pieces},
                                         {"0.9.5", "0.10.0", &Capabilities::typed_failures},
                                         {"0.9.5", "0.10.0", &Capabilities::receipts},
                                         {"0.9.5", "0.10.0", &Capabilities::strict_matchers},
                                         {"0.9.5", "0.10.0", &Capabilities::node_visibility},
                                         {"0.12.2", "0.12.3", &Capabilities::hierarchy_in_result},
                                         {"0.12.3", "0.12.4", &Capabilities::reports_submission}}));
  INFO(row.since);
  CHECK_FALSE(capabilities_of(row.before).*row.capability);
  CHECK(capabilities_of(row.since).*row.capability);
  CHECK(capabilities_of("99.0.0").*row.capability);
  CHECK(capabilities_of("banana").*row.capability);
}

TEST_CASE("operator versions: a list names one or both apps") {
  CHECK(operator_builds("none").empty());
  const auto one = operator_builds("banana");
  REQUIRE(one.size() == 1);
  CHECK(one[0].names->package == "com.clawperator.operator");
  CHECK(one[0].version == "banana");
  const auto both = operator_builds("0.12.5,1.0.0");
  REQUIRE(both.size() == 2);
  CHECK(both[0].names->log == "Clawperator");
  CHECK(both[1].names->package == "com.androperator.operator");
  CHECK(both[1].names->action == "app.androperator.operator.ACTION_AGENT_COMMAND");
  CHECK(both[1].names->service() ==
        "androperator.operator.accessibilityservice.OperatorAccessibilityService");
  CHECK(both[1].names->activity() == "androperator.activity.MainActivity");
  const auto same = operator_builds("0.5.3,0.12.5");
  REQUIRE(same.size() == 1);
  CHECK(same[0].version == "0.12.5");
  CHECK(names_of_package("com.androperator.operator.dev") == both[1].names);
  CHECK(names_of_package("com.android.settings") == nullptr);
}
