#include "runtime/engine/verify.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

// "snapshot_ui+" has a tree, "snapshot_ui-" failed.
Envelope envelope_of(const std::vector<std::string>& steps) {
  Envelope envelope;
  for (const std::string& step : steps) {
    StepResult& result = envelope.step_results.emplace_back();
    result.id = std::to_string(envelope.step_results.size());
    result.success = !step.ends_with('-');
    result.action_type = step.substr(0, step.find_first_of("+-"));
    if (step.ends_with('+')) set_data(result.data, "text", "<hierarchy/>");
  }
  return envelope;
}

}  // namespace

TEST_CASE("verify: the snapshots count that all acting lies between", "[engine]") {
  struct Row {
    std::vector<std::string> steps;
    std::string before, after;  // ids; empty: no pair
  };
  const auto row = GENERATE(values<Row>({
      {{"snapshot_ui+", "click", "snapshot_ui+"}, "1", "3"},
      {{"snapshot_ui+", "sleep", "snapshot_ui+", "click", "open_app", "sleep", "snapshot_ui+",
        "read_text", "snapshot_ui+"},
       "3",
       "9"},
      {{"snapshot_ui+", "click", "snapshot_ui+", "click"}, "", ""},
      {{"click", "snapshot_ui+", "click", "snapshot_ui+"}, "", ""},
      {{"snapshot_ui-", "click", "snapshot_ui+"}, "", ""},
      {{"snapshot_ui+", "click", "snapshot_ui-"}, "", ""},
      {{"snapshot_ui+", "snapshot_ui+"}, "", ""},
      {{"snapshot_ui+", "close_app", "snapshot_ui+"}, "", ""},
      {{"snapshot_ui+", "something_new", "snapshot_ui+"}, "1", "3"},
      {{}, "", ""},
  }));
  const Envelope envelope = envelope_of(row.steps);
  const auto pair = surrounding_snapshots(envelope);
  REQUIRE(pair.has_value() == !row.before.empty());
  if (!pair) return;
  CHECK(pair->before->id == row.before);
  CHECK(pair->after->id == row.after);
}

TEST_CASE("verify: two words", "[engine]") {
  CHECK(read_verify("changed") == Verify::What::changed);
  CHECK(read_verify("settled") == Verify::What::settled);
  CHECK_FALSE(read_verify("Changed"));
  CHECK_FALSE(read_verify(""));
}
