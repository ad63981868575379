#include "skills/phone/recipe/policy.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

namespace {

std::string recipe_of(const std::string& head, const std::string& step) {
  return "---\nrecipe_id: a.b\n" + head + "\n---\n## Step 1\n```yaml\nid: one\n" + step + "\n```\n";
}

// The codes and lines of what the policy alone finds.
std::string found_in(const std::string& head, const std::string& step) {
  Faults faults;
  const std::string text = recipe_of(head, step);
  std::vector<std::string> found;
  for (const Fault& each : policy_faults(parse_recipe(text, &faults))) {
    found.push_back(std::string(each.code->published) + " " + std::to_string(each.place.line));
  }
  CHECK(faults.empty());
  return joined(found, ", ");
}

constexpr std::string_view kAll =
    "observe navigate click long_click type_text toggle purchase_risk";

// The capabilities that a step needs, and those that may be declared for it.
struct Row {
  std::string step;
  std::string needs;
  std::string uses;
};
const Row kRows[] = {
    {"type: open_app", "navigate", "navigate"},
    {"type: close_app", "navigate", "navigate"},
    {"type: wait_for_node", "observe", "observe"},
    {"type: read_text", "observe", "observe"},
    {"type: snapshot_ui", "observe", "observe"},
    {"type: sleep", "", ""},
    {"type: enter_text", "type_text", "type_text toggle purchase_risk"},
    {"type: click", "click", "click navigate toggle purchase_risk"},
    {"type: click\nparams: {click_type: focus}", "click", "click navigate toggle purchase_risk"},
    {"type: click\nparams: {click_type: long_click}", "long_click",
     "long_click navigate toggle purchase_risk"},
    {"type: click\nparams: {click_type: longclick}", "long_click",
     "long_click navigate toggle purchase_risk"},
    {"type: scroll_and_click", "click", "click navigate toggle purchase_risk"},
    {"type: scroll_and_click\nparams: {click_type: long_click}", "long_click",
     "long_click navigate toggle purchase_risk"},
    {"type: scroll_and_click\nparams: {click_after: false}", "navigate", "navigate"},
    {"type: click\nconfirm: {selector: {text_equals: a}}", "observe click",
     "observe click navigate toggle purchase_risk"},
    {"type: sleep\nconfirm: {selector: {text_equals: a}}", "observe", "observe"},
};

}  // namespace

TEST_CASE("policy: each step needs its capabilities, and none but these can be declared for it",
          "[skills]") {
  for (const Row& row : kRows) {
    for (const std::string_view word : split(kAll, ' ')) {
      CAPTURE(row.step, word);
      // All that it needs but this word; then this word besides.
      std::vector<std::string> others;
      for (const std::string_view each : split(row.needs, ' ')) {
        if (!each.empty() && each != word) others.emplace_back(each);
      }
      const auto head = [](const std::vector<std::string>& words) {
        return "risk_level: high\ncapabilities: [" + joined(words, ", ") + "]";
      };
      const std::string without = found_in(head(others), row.step);
      CHECK(without.contains("RECIPE_CAPABILITY_UNDECLARED") == is_one_of(word, row.needs));
      others.emplace_back(word);
      const std::string with = found_in(head(others), row.step);
      CHECK(with == (is_one_of(word, row.uses) ? "" : "RECIPE_CAPABILITY_UNUSED 4"));
    }
  }
}

TEST_CASE("policy: the table has a row for each type of step", "[skills]") {
  for (const StepType& type : step_types()) {
    CAPTURE(std::string(type.name));
    CHECK(std::ranges::any_of(kRows, [&](const Row& row) {
      return first_line(row.step) == "type: " + std::string(type.name);
    }));
  }
}

TEST_CASE("policy: a fresh start navigates, a step of no known type may use anything", "[skills]") {
  CHECK(found_in("session_policy: fresh\ncapabilities: [navigate]", "type: sleep").empty());
  CHECK(found_in("session_policy: resume_ok\ncapabilities: [navigate]", "type: sleep") ==
        "RECIPE_CAPABILITY_UNUSED 4");
  CHECK(found_in("capabilities: [toggle, click]\ninputs: [{name: a}]", "type: fly").empty());
  CHECK(found_in("capabilities: [fly, 7]", "type: sleep").empty());
  CHECK(found_in("capabilities: click", "type: sleep").empty());
}

TEST_CASE("policy: probes, risks and inputs", "[skills]") {
  CHECK(found_in("recipe_type: probe\ncapabilities: [click]", "type: sleep") ==
        "RECIPE_PROBE_ACTS 4");
  CHECK(found_in("risk_level: medium\ncapabilities: [click, purchase_risk]", "type: click") ==
        "RECIPE_RISK_LEVEL_TOO_LOW 4");
  CHECK(found_in("inputs: [{name: a}, {name: b}, {name: c}]",
                 "type: sleep\nselector: {all_of: [{text_equals: \"${inputs.a}${inputs.c}\"}]}") ==
        "RECIPE_INPUT_UNUSED 3");
}
