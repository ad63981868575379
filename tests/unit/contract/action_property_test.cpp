// What is put together here and judged reads back from its own text as the same values; the text
// that a caller wrote comes out as the device gets it.
#include "runtime/contract/action.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "runtime/contract/action_row.hpp"
#include "runtime/contract/parse.hpp"

using namespace clawperator;

namespace {

constexpr int kPlans = 3000;

class Actions {
 public:
  Execution plan() {
    Execution made{"c", "t", "s", 30000, {}, {}};
    while (made.actions.size() < 1 + below(3)) made.actions.push_back(action());
    return made;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  Action action() {
    Action made = bare_action(static_cast<ActionType>(below(action_rows().size())), "a");
    made.has_params = below(8) > 0;
    for (std::size_t row = 0; made.has_params && row < kParams.size(); ++row) {
      const ParamUse* use = row_of(made.type()).find(row);
      if (use && below(2) == 0) use->set(made, value(kParams[row]));
      if (!use && !kParams[row].is_ours && below(8) == 0) {
        made.rest.push_back({row, value(kParams[row])});  // which is as its parser has left it
        auto* selector = std::get_if<Selector>(&made.rest.back().value);
        if (selector) selector->fields.role = "r";
      }
    }
    return made;
  }

  std::string text(const ParamRow& row) {
    constexpr std::string_view kTexts[] = {"com.example", "a \"b\" \\ \n", "\u00e9\U0001F600", "x"};
    if (row.choices.empty()) return std::string(kTexts[below(std::size(kTexts))]);
    return std::string(row.choices.substr(0, row.choices.find(' ')));
  }

  Selector selector() {
    Selector made;
    for (const MatcherField& each : matcher_fields()) {
      if (below(3) == 0)
        made.fields.*each.field = below(5) == 0 ? "" : "n" + std::to_string(below(9));
    }
    return made;
  }

  ParamValue value(const ParamRow& row) {
    switch (row.kind) {
      case ParamKind::text: return text(row);
      case ParamKind::number: return std::array{0.0, 0.5, 1.0, 12.0, 1000.0}.at(below(5));
      case ParamKind::boolean: return below(2) == 0;
      case ParamKind::matcher: return selector();
      case ParamKind::coordinate: return Coordinate{static_cast<double>(below(2000)), 1e21};
      case ParamKind::object: break;
    }
    if (below(2) == 0) return retry_for(std::chrono::milliseconds(100 * below(100)));
    return Retry{.json = R"({"own":[null,{"b":1.5}],"maxDelayMs":7})", .max_delay_ms = 7};
  }

  std::mt19937_64 random_{33};
};

// What the parameter is, its own type and all.
std::string shown(const ParamRef& value) {
  struct Shown {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const std::string* text) const { return "text " + *text; }
    std::string operator()(const double* number) const { return std::to_string(*number); }
    std::string operator()(const bool* flag) const { return *flag ? "true" : "false"; }
    std::string operator()(const Coordinate* at) const {
      return std::to_string(at->x) + " " + std::to_string(at->y);
    }
    std::string operator()(const Selector* selector) const {
      std::string all;
      for (const MatcherField& each : matcher_fields()) {
        all += (selector->fields.*each.field).value_or("absent") + "|";
      }
      return all;
    }
    std::string operator()(const Retry* retry) const {
      return retry->json + std::to_string(retry->max_attempts.value_or(-1)) + " " +
             std::to_string(retry->max_delay_ms.value_or(-1));
    }
  };
  return std::visit(Shown{}, value);
}

void check_same(const Action& one, const Action& other) {
  CHECK(one.id == other.id);
  CHECK(one.type() == other.type());
  CHECK(one.has_params == other.has_params);
  for (const ParamRow& row : kParams) {
    if (shown(find_param(one, row.name)) == shown(find_param(other, row.name))) continue;
    FAIL(row.name << " of " << payload_json({"c", "t", "s", 30000, {one}, {}}));
  }
}

}  // namespace

TEST_CASE("actions: what is judged reads back as itself from its own text", "[contract][33]") {
  Actions actions;
  int judged = 0;
  for (int i = 0; i < kPlans; ++i) {
    Execution plan = actions.plan();
    const std::string before = payload_json(plan);
    const auto own = judge_execution(plan);
    const auto read = parse_execution(before);
    INFO(before);
    REQUIRE(own.has_value() == read.has_value());
    if (!own) {
      CHECK(own.error() == read.error());
      continue;
    }
    ++judged;
    REQUIRE(read->actions.size() == plan.actions.size());
    for (std::size_t at = 0; at < plan.actions.size(); ++at) {
      check_same(read->actions[at], plan.actions[at]);
    }
    CHECK(*read == plan);
    CHECK(payload_json(*read) == before);
    CHECK(to_json(*parse_execution(to_json(plan))) == to_json(plan));
  }
  CHECK(judged > kPlans / 10);
  CHECK(judged < kPlans);
}

TEST_CASE("actions: the one that the engine has bound has its node in the text", "[contract][33]") {
  Selector matcher{.fields = {.text_equals = "x"}, .ancestor = R"({"resourceId":"a"})"};
  Selector container{.fields = {.resource_id = "c"}, .descendant = R"({"textEquals":"w"})"};
  CHECK(
      params_json(Click{.matcher = matcher, .container = container, .strict = true}) ==
      R"({"matcher":{"textEquals":"x","ancestor":{"resourceId":"a"}},"strict":true,"container":{"resourceId":"c","descendant":{"textEquals":"w"}}})");
}
