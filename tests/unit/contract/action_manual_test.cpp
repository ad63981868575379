#include "runtime/contract/action_manual.hpp"

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
  const std::string_view choices = param_row(name).choices;
  if (!choices.empty()) return choices.substr(0, choices.find(' '));
  if (name == "distanceRatio") return 0.5;
  if (name == "validatorPattern") return "a+";
  const std::string_view kind = param_kind_name(name);
  if (kind == "number") return 5;
  if (kind == "boolean") return true;
  if (kind == "matcher") return {{"textEquals", "x"}};
  if (kind == "coordinate") return {{"x", 1}, {"y", 2}};
  if (kind == "object") return {{"maxAttempts", 1}};
  return "x";
}

bool is_taken(ActionType type, const json& params) {
  const json plan{{"commandId", "c"},
                  {"taskId", "t"},
                  {"source", "s"},
                  {"expectedFormat", "android-ui-automator"},
                  {"timeoutMs", 30000},
                  {"actions", {{{"id", "a"}, {"type", action_name(type)}, {"params", params}}}}};
  return parse_execution(plan.dump()).has_value();
}

// Of click and wait_for_navigation one of two is required.
json one_of_two(ActionType type) {
  if (type == ActionType::click) return {{"coordinate", value_of("coordinate")}};
  if (type == ActionType::wait_for_navigation) return {{"expectedPackage", "x"}};
  return json::object();
}

}  // namespace

TEST_CASE("action manual: it has every action but the doctor's own, in their order") {
  int next = 0;
  for (const ActionPage& page : action_manual()) {
    CHECK(page.type == static_cast<ActionType>(next++));
    CHECK_FALSE(page.summary.empty());
  }
  CHECK(static_cast<ActionType>(next) == ActionType::doctor_ping);
}

TEST_CASE("action manual: what is required is enough, and none of it can be left out") {
  for (const ActionPage& page : action_manual()) {
    CAPTURE(action_name(page.type));
    json required = one_of_two(page.type);
    for (const ParamUse& use : page.params) {
      if (use.is_required) required[use.name] = value_of(use.name);
    }
    CHECK(is_taken(page.type, required));
    for (const ParamUse& use : page.params) {
      if (!use.is_required) continue;
      json lacking = required;
      lacking.erase(std::string(use.name));
      CAPTURE(use.name);
      CHECK_FALSE(is_taken(page.type, lacking));
    }
  }
}

TEST_CASE("action manual: every parameter of an action is taken with what it requires") {
  for (const ActionPage& page : action_manual()) {
    json required = one_of_two(page.type);
    for (const ParamUse& use : page.params) {
      if (use.is_required) required[use.name] = value_of(use.name);
    }
    std::set<std::string_view> names;
    for (const ParamUse& use : page.params) {
      CAPTURE(action_name(page.type), use.name);
      CHECK(names.insert(use.name).second);
      json params = required;
      const bool is_of_nodes = use.name == "matcher" || use.name == "strict";
      if (page.type == ActionType::click && is_of_nodes) {
        params.erase("coordinate");
        params["matcher"] = value_of("matcher");
      }
      if (use.name == "clickAfter") params["matcher"] = value_of("matcher");
      params[use.name] = value_of(use.name);
      CHECK(is_taken(page.type, params));
    }
  }
}

TEST_CASE("action manual: every parameter that there is belongs to an action") {
  std::set<std::string_view> used;
  for (const ActionPage& page : action_manual()) {
    for (const ParamUse& use : page.params) used.insert(use.name);
  }
  for (const ParamRow& row : param_table()) {
    CAPTURE(row.name);
    CHECK(used.contains(row.name));
  }
}
