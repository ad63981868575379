#include "runtime/contract/action_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"

using namespace clawperator;

TEST_CASE("action table: every type is found under its own name", "[contract]") {
  for (int i = 0; i <= static_cast<int>(ActionType::read_key_value_pair); ++i) {
    const auto type = static_cast<ActionType>(i);
    CHECK(find_action(action_name(type)) == type);
  }
  CHECK(action_name(ActionType::open_app) == "open_app");
  CHECK(action_name(ActionType::snapshot_ui) == "snapshot_ui");
  CHECK(action_name(ActionType::read_key_value_pair) == "read_key_value_pair");
  CHECK_FALSE(find_action("doctor_ping"));
  CHECK_FALSE(find_action(""));
}

TEST_CASE("action table: an alias is spelled once and is no name", "[contract]") {
  const auto check = [](const auto& rows, auto row_at) {
    std::set<std::string_view> seen;
    for (const auto& each : rows) CHECK(seen.insert(row_at(each).name).second);
    for (const auto& each : rows) {
      for (const std::string_view alias : split(row_at(each).aliases, ' ')) {
        INFO(alias);
        if (!alias.empty()) CHECK(seen.insert(alias).second);
      }
    }
    return seen.size() - std::size(rows);
  };
  CHECK(check(kParams, [](const ParamRow& row) { return row; }) == 36);
  CHECK(check(matcher_fields(), [](const MatcherField& row) { return row; }) == 11);
  CHECK(check(action_rows(), [](const ActionRow* row) { return *row; }) == 15);
  CHECK(kParams.size() == 34);
  CHECK(matcher_fields().size() == 6);
}
