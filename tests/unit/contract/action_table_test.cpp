#include "runtime/contract/action_table.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

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

TEST_CASE("action table: an alias is spelled once and leads to a canonical name", "[contract]") {
  const auto check = [](std::span<const AliasRow> rows, const auto& is_canonical) {
    std::set<std::string_view> seen;
    for (const AliasRow& row : rows) {
      INFO(row.alias);
      CHECK(seen.insert(row.alias).second);
      CHECK(is_canonical(row.canonical));
      CHECK_FALSE(is_canonical(row.alias));
    }
  };
  const auto is_param = [](std::string_view name) {
    return std::ranges::find(param_table(), name, &ParamRow::name) != param_table().end();
  };
  const auto is_matcher_field = [](std::string_view name) {
    return std::ranges::find(matcher_fields(), name) != matcher_fields().end();
  };
  const auto is_action = [](std::string_view name) {
    const auto type = find_action(name);
    return type && action_name(*type) == name;
  };
  check(param_aliases(), is_param);
  check(matcher_aliases(), is_matcher_field);
  check(action_aliases(), is_action);
  CHECK(action_aliases().size() == 14);
  CHECK(param_table().size() == 34);
  CHECK(matcher_fields().size() == 6);
}
