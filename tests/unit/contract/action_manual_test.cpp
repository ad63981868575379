#include "runtime/contract/action_row.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runtime/contract/parse.hpp"

using namespace clawperator;
using nlohmann::json;

namespace {

// A value that the parameter of that name may have.
json value_of(std::string_view name) {
  const std::string_view choices = find_param_row(name)->choices;
  if (!choices.empty()) return choices.substr(0, choices.find(' '));
  if (name == "distanceRatio") return 0.5;
  if (name == "validatorPattern") return "a+";
  const std::string_view kind = kind_name(find_param_row(name)->kind);
  if (kind == "number") return 5;
  if (kind == "boolean") return true;
  if (kind == "matcher") return {{"textEquals", "x"}};
  if (kind == "coordinate") return {{"x", 1}, {"y", 2}};
  if (kind == "object") return {{"maxAttempts", 1}};
  return "x";
}

bool is_taken(const ActionRow& row, const json& params) {
  const json plan{
      {"commandId", "c"},   {"taskId", "t"},
      {"source", "s"},      {"expectedFormat", "android-ui-automator"},
      {"timeoutMs", 30000}, {"actions", {{{"id", "a"}, {"type", row.name}, {"params", params}}}}};
  return parse_execution(plan.dump()).has_value();
}

// Of click and wait_for_navigation one of two is required.
json one_of_two(const ActionRow& row) {
  if (&row == &Click::kRow) return {{"coordinate", value_of("coordinate")}};
  if (&row == &WaitForNavigation::kRow) return {{"expectedPackage", "x"}};
  return json::object();
}

}  // namespace

TEST_CASE("action manual: it has every action but the doctor's own, in their order") {
  int next = 0;
  for (const ActionRow* row : action_rows()) {
    const auto type = static_cast<ActionType>(next++);
    CHECK(row == &row_of(type));
    CHECK_FALSE(row->summary.empty());
    for (const ParamUse& use : row->params) CHECK(use.get(bare_action(type, "")).index() == 0);
  }
  CHECK(static_cast<ActionType>(next) == ActionType::doctor_ping);
}

TEST_CASE("action manual: what is required is enough, and none of it can be left out") {
  for (const ActionRow* row : action_rows()) {
    CAPTURE(row->name);
    json required = one_of_two(*row);
    for (const ParamUse& use : row->params) {
      if (use.need != Need::none) required[use.name()] = value_of(use.name());
    }
    CHECK(is_taken(*row, required));
    for (const ParamUse& use : row->params) {
      if (use.need == Need::none) continue;
      json lacking = required;
      lacking.erase(std::string(use.name()));
      CAPTURE(use.name());
      CHECK_FALSE(is_taken(*row, lacking));
    }
  }
}

TEST_CASE("action manual: every parameter of an action is taken with what it requires") {
  for (const ActionRow* row : action_rows()) {
    json required = one_of_two(*row);
    for (const ParamUse& use : row->params) {
      if (use.need != Need::none) required[use.name()] = value_of(use.name());
    }
    std::set<std::string_view> names;
    for (const ParamUse& use : row->params) {
      CAPTURE(row->name, use.name());
      CHECK(names.insert(use.name()).second);
      json params = required;
      const bool is_of_nodes = use.name() == "matcher" || use.name() == "strict";
      if (row == &Click::kRow && is_of_nodes) {
        params.erase("coordinate");
        params["matcher"] = value_of("matcher");
      }
      if (use.name() == "clickAfter") params["matcher"] = value_of("matcher");
      params[use.name()] = value_of(use.name());
      CHECK(is_taken(*row, params));
    }
  }
}

TEST_CASE("action manual: every parameter that there is belongs to an action") {
  std::set<std::string_view> used;
  for (const ActionRow* row : action_rows()) {
    for (const ParamUse& use : row->params) used.insert(use.name());
  }
  for (const ParamRow& row : kParams) {
    CAPTURE(row.name);
    CHECK(used.contains(row.name));
  }
}
