#include "runtime/engine/post_process.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

StepResult step(std::string id, std::string type, bool success = true, StepData data = {}) {
  return {std::move(id), std::move(type), success, std::move(data)};
}
Envelope envelope_of(std::vector<StepResult> steps) {
  Envelope made;
  made.status = EnvelopeStatus::success;
  made.step_results = std::move(steps);
  return made;
}
Action action(std::string id, ActionType type, std::optional<std::string> application = {}) {
  Action made = bare_action(type, std::move(id));
  if (auto* close = made.as<CloseApp>()) close->application_id = std::move(application);
  return made;
}
Execution execution(std::vector<Action> actions) {
  Execution made;
  made.actions = std::move(actions);
  return made;
}
std::string tree(const std::string& text) {
  return "<hierarchy rotation=\"0\"><node text=\"" + text +
         "\" bounds=\"[0,0][1,1]\" /></hierarchy>";
}
// As a run does it: what the envelope and the log hold, into the steps.
std::vector<std::string> attach(Envelope& envelope, const Execution& execution,
                                std::vector<Hierarchy> logged) {
  auto paired = pair_snapshots(envelope, std::move(logged), execution);
  return attach_snapshots(envelope, execution, std::move(paired));
}
const std::string* value(const Envelope& of, std::size_t at, const char* key) {
  return find_data(of.step_results.at(at).data, key);
}

}  // namespace

TEST_CASE("close_app: only what was stopped and reported as unsupported succeeds", "[engine]") {
  struct Row {
    const char* name;
    StepResult step;
    bool settled;
  };
  const StepData unsupported{{"error", "UNSUPPORTED_RUNTIME_CLOSE"}, {"message", "m"}};
  const StepData typed{{"error", "the host does it"}, {"errorCode", "UNSUPPORTED_RUNTIME_CLOSE"}};
  const auto row = GENERATE_COPY(values<Row>({
      {"reported", step("c", "close_app", false, unsupported), true},
      {"reported by a typed code", step("c", "close_app", false, typed), true},
      {"another error", step("c", "close_app", false, {{"error", "OTHER"}}), false},
      {"no error", step("c", "close_app", false), false},
      {"another step type", step("c", "click", false, unsupported), false},
      {"a step we did not ask for", step("d", "close_app", false, unsupported), false},
      {"a step that was something else", step("k", "close_app", false, unsupported), false},
  }));
  INFO(row.name);
  Envelope at = envelope_of({row.step});
  settle_closed_apps(at, execution({action("c", ActionType::close_app, "com.app"),
                                    action("k", ActionType::click)}));
  CHECK(at.step_results[0].success == row.settled);
  CHECK(at.step_results[0].data ==
        (row.settled ? StepData{{"application_id", "com.app"}} : row.step.data));
}

TEST_CASE("snapshots: successful steps and hierarchies pair in order", "[engine]") {
  Envelope at = envelope_of({step("1", "snapshot_ui"), step("2", "click"), step("3", "snapshot_ui"),
                             step("4", "snapshot_ui", false), step("5", "snapshot_ui")});
  CHECK(successful_snapshots(at) == 3);
  const auto warnings = attach(
      at, execution({}), {{tree("a"), Flaw::none}, {"", Flaw::lost}, {tree("b"), Flaw::none}});
  CHECK(*value(at, 4, "text") == tree("b"));
  CHECK(*value(at, 0, "text") == tree("a"));
  CHECK_FALSE(value(at, 3, "text"));
  CHECK_FALSE(value(at, 2, "text"));
  CHECK_FALSE(at.step_results[2].success);
  CHECK(*value(at, 2, "error") == "SNAPSHOT_EXTRACTION_FAILED");
  CHECK(value(at, 2, "message"));
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(
      warnings[0],
      Catch::StartsWith("snapshot_ui step \"3\" UI hierarchy extraction produced no output."));
}

TEST_CASE("snapshots: where one is missing, their steps are unknown", "[engine][R7]") {
  Envelope at = envelope_of({step("1", "snapshot_ui"), step("2", "snapshot_ui")});
  CHECK(attach(at, execution({}), {{tree("a"), Flaw::none}}).size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK_FALSE(at.step_results[i].success);
    CHECK_FALSE(value(at, i, "text"));
    CHECK_THAT(*value(at, i, "message"), Catch::Contains("lost lines"));
  }
}

TEST_CASE("snapshots: the step says what is wrong with its hierarchy", "[engine][R7][R8][F10]") {
  struct Row {
    const char* name;
    std::vector<Hierarchy> hierarchies;
    const char* message;
    bool again;  // whether asking again may help
  };
  const std::string twice =
      "<hierarchy><node index=\"0\"><node index=\"0\" /><node index=\"1\" />"
      "<node index=\"0\" /></node></hierarchy>";
  const auto row = GENERATE_COPY(values<Row>({
      {"nothing", {}, "clawperator version --check-compat", false},
      {"cut", {{"", Flaw::cut}}, "4068 bytes", false},
      {"cut, though it can be read", {{tree("a"), Flaw::cut}}, "4068 bytes", false},
      {"no end", {{"", Flaw::lost}}, "lost lines", true},
      {"a line is missing", {{"<hierarchy><node></hierarchy>", Flaw::none}}, "been lost", true},
      {"half a line",
       {{"<hierarchy><node index=\"0\" />rest\" /></hierarchy>", Flaw::none}},
       "lost lines",
       true},
      {"children count anew", {{twice, Flaw::none}}, "lost lines", true},
      {"too long", {{"", Flaw::too_long}}, "32 MiB", false},
  }));
  INFO(row.name);
  Envelope at = envelope_of({step("1", "snapshot_ui")});
  auto hierarchies = pair_snapshots(at, row.hierarchies, {});
  CHECK(lost_hierarchies(hierarchies) == row.again);
  const auto warnings = attach_snapshots(at, execution({}), std::move(hierarchies));
  CHECK(warnings.size() == 1);
  CHECK(*value(at, 0, "error") == "SNAPSHOT_EXTRACTION_FAILED");
  CHECK_THAT(*value(at, 0, "message"), Catch::Contains(row.message));
}

TEST_CASE("snapshots: the text of the envelope counts, whatever the log has", "[engine][today]") {
  Envelope at = envelope_of({step("1", "snapshot_ui", true, {{"text", tree("own")}, {"x", "y"}})});
  SECTION("the log has none") { CHECK(attach(at, execution({}), {}).empty()); }
  SECTION("the log has another one") {
    CHECK(attach(at, execution({}), {{tree("log"), Flaw::none}}).empty());
  }
  CHECK(at.step_results[0].data == StepData{{"text", tree("own")}, {"x", "y"}});
}

TEST_CASE("snapshots: steps with a text of their own take none of the log's", "[engine][today]") {
  Envelope at = envelope_of({step("1", "snapshot_ui"),
                             step("2", "snapshot_ui", true, {{"text", tree("own")}}),
                             step("3", "snapshot_ui")});
  CHECK(attach(at, execution({}), {{tree("a"), Flaw::none}, {tree("b"), Flaw::none}}).empty());
  CHECK(*value(at, 0, "text") == tree("a"));
  CHECK(*value(at, 1, "text") == tree("own"));
  CHECK(*value(at, 2, "text") == tree("b"));
}

TEST_CASE("snapshots: an envelope's text that is no hierarchy fails its step", "[engine][today]") {
  const std::string text = GENERATE("", "plain", "<hierarchy><node></hierarchy>");
  INFO(text);
  Envelope at = envelope_of({step("1", "snapshot_ui", true, {{"text", text}})});
  auto hierarchies = pair_snapshots(at, {{tree("log"), Flaw::none}}, {});
  CHECK_FALSE(lost_hierarchies(hierarchies));
  const auto warnings = attach_snapshots(at, execution({}), std::move(hierarchies));
  CHECK(warnings.size() == 1);
  CHECK_FALSE(at.step_results[0].success);
  CHECK_FALSE(value(at, 0, "text"));
  CHECK(*value(at, 0, "error") == "SNAPSHOT_EXTRACTION_FAILED");
  CHECK_THAT(*value(at, 0, "message"), !Catch::Contains("log"));
}

TEST_CASE("snapshots: of more hierarchies than steps none is taken for another", "[engine][S1]") {
  Envelope at = envelope_of({step("1", "snapshot_ui")});
  CHECK(attach(at, execution({}), {{tree("old"), Flaw::none}, {tree("new"), Flaw::none}}).size() ==
        1);
  CHECK_FALSE(at.step_results[0].success);
  CHECK_FALSE(value(at, 0, "text"));
}

TEST_CASE("snapshots: the step behind the last one of a plan that failed may have drawn",
          "[engine][S1]") {
  const std::vector<Action> plan = {action("1", ActionType::snapshot_ui),
                                    action("2", ActionType::snapshot_ui),
                                    action("3", ActionType::click)};
  Envelope at = envelope_of({step("1", "snapshot_ui")});
  at.status = EnvelopeStatus::failed;
  SECTION("it is a snapshot") {
    attach(at, execution(plan), {{tree("of 2"), Flaw::none}});
    CHECK_FALSE(at.step_results[0].success);
  }
  SECTION("it is none") {
    at.step_results.push_back(step("2", "snapshot_ui"));
    attach(at, execution(plan), {{tree("of 1"), Flaw::none}, {tree("of 2"), Flaw::none}});
    CHECK(*value(at, 1, "text") == tree("of 2"));
  }
}

TEST_CASE("snapshots: the device's own keys are kept", "[engine]") {
  Envelope at = envelope_of({step("1", "snapshot_ui", true, {{"actual_format", "hierarchy_xml"}})});
  attach(at, execution({}), {{tree("new"), Flaw::none}});
  CHECK(at.step_results[0].data ==
        StepData{{"actual_format", "hierarchy_xml"}, {"text", tree("new")}});
}

TEST_CASE("snapshots: what is no whole hierarchy fails the step and is not handed on", "[engine]") {
  const std::string text = GENERATE("", "<hierarchy><node", "<hierarchy><node></hierarchy>",
                                    "plain", "<hierarchy rotation=\"0\"></hierarchy> and more");
  INFO(text);
  Envelope at = envelope_of({step("1", "snapshot_ui")});
  const auto warnings = attach(at, execution({}), {{text, Flaw::none}});
  CHECK(warnings.size() == 1);
  CHECK_FALSE(at.step_results[0].success);
  CHECK_FALSE(value(at, 0, "text"));
  CHECK(*value(at, 0, "error") == "SNAPSHOT_EXTRACTION_FAILED");
}

TEST_CASE("snapshots: right after a click they carry a warning", "[engine]") {
  struct Row {
    const char* name;
    std::vector<Action> actions;
    bool warned;
  };
  const auto row = GENERATE(values<Row>({
      {"click", {action("c", ActionType::click), action("s", ActionType::snapshot_ui)}, true},
      {"scroll and click",
       {action("c", ActionType::scroll_and_click), action("s", ActionType::snapshot_ui)},
       true},
      {"sleep between",
       {action("c", ActionType::click), action("z", ActionType::sleep),
        action("s", ActionType::snapshot_ui)},
       false},
      {"first", {action("s", ActionType::snapshot_ui), action("c", ActionType::click)}, false},
      {"scroll", {action("c", ActionType::scroll), action("s", ActionType::snapshot_ui)}, false},
  }));
  INFO(row.name);
  Envelope at = envelope_of({step("s", "snapshot_ui")});
  attach(at, execution(row.actions), {{tree("a"), Flaw::none}});
  CHECK((value(at, 0, "warn") != nullptr) == row.warned);
}

TEST_CASE("snapshots: a step without its hierarchy gets no settle warning", "[engine]") {
  Envelope at = envelope_of({step("s", "snapshot_ui")});
  attach(at, execution({action("c", ActionType::click), action("s", ActionType::snapshot_ui)}), {});
  CHECK_FALSE(value(at, 0, "warn"));
}

TEST_CASE("screenshots: a saved picture makes its step succeed", "[engine]") {
  struct Row {
    const char* name;
    StepResult step;
    SavedPicture picture;
    bool success;
    StepData data;
    std::size_t warnings;
  };
  const StepData unsupported{{"error", "UNSUPPORTED_RUNTIME_SCREENSHOT"}, {"message", "m"}};
  const StepData typed{{"error", "UNSUPPORTED_RUNTIME_SCREENSHOT"},
                       {"message", "m"},
                       {"errorCode", "UNSUPPORTED_RUNTIME_SCREENSHOT"}};
  const auto row = GENERATE_COPY(values<Row>({
      {"reported as unsupported",
       step("p", "take_screenshot", false, unsupported),
       {"p", "/a.png", ""},
       true,
       {{"path", "/a.png"}},
       0},
      {"reported as unsupported, with its code",
       step("p", "take_screenshot", false, typed),
       {"p", "/a.png", ""},
       true,
       {{"path", "/a.png"}},
       0},
      {"not captured, after a code",
       step("p", "take_screenshot", false, typed),
       {"p", "/a.png", "broken"},
       false,
       {{"error", "SCREENSHOT_CAPTURE_FAILED"}, {"message", "broken"}},
       1},
      {"reported as done",
       step("p", "take_screenshot", true),
       {"p", "/a.png", ""},
       true,
       {{"path", "/a.png"}},
       0},
      {"failed for another reason",
       step("p", "take_screenshot", false, {{"error", "OTHER"}}),
       {"p", "/a.png", ""},
       false,
       {{"error", "OTHER"}},
       0},
      {"not captured",
       step("p", "take_screenshot", false, unsupported),
       {"p", "/a.png", "broken"},
       false,
       {{"error", "SCREENSHOT_CAPTURE_FAILED"}, {"message", "broken"}},
       1},
      {"not captured though reported as done",
       step("p", "take_screenshot", true),
       {"p", "/a.png", "broken"},
       false,
       {{"error", "SCREENSHOT_CAPTURE_FAILED"}, {"message", "broken"}},
       1},
      {"another step's picture",
       step("p", "take_screenshot", false, unsupported),
       {"q", "/a.png", ""},
       false,
       unsupported,
       0},
      {"another type of step", step("p", "click", true), {"p", "/a.png", ""}, true, {}, 0},
  }));
  INFO(row.name);
  Envelope at = envelope_of({row.step});
  CHECK(attach_screenshots(at, {row.picture}).size() == row.warnings);
  CHECK(at.step_results[0].success == row.success);
  CHECK(at.step_results[0].data == row.data);
}

TEST_CASE("reconcile: the first failed step decides the envelope", "[engine]") {
  Envelope at =
      envelope_of({step("a", "click"), step("b", "scroll", false, {{"error", "GESTURE_FAILED"}}),
                   step("c", "click", false, {{"error", "LATER"}})});
  reconcile(at, {"d", "p"});
  CHECK(at.status == EnvelopeStatus::failed);
  CHECK(at.error == "Step b (scroll) failed: GESTURE_FAILED");
  CHECK_FALSE(at.error_code);
}

TEST_CASE("reconcile: a failed step without an error is named without one", "[engine]") {
  Envelope at = envelope_of({step("b", "scroll", false)});
  reconcile(at, {"d", "p"});
  CHECK(at.error == "Step b (scroll) failed");
}

TEST_CASE("reconcile: a step's code goes before its prose", "[engine][today]") {
  Envelope at = envelope_of(
      {step("b", "click", false, {{"error", "No such node"}, {"errorCode", "NODE_NOT_FOUND"}})});
  reconcile(at, {"d", "p"});
  CHECK(at.error == "Step b (click) failed: NODE_NOT_FOUND");
  CHECK(at.error_code == "NODE_NOT_FOUND");
}

TEST_CASE("reconcile: what the app says of a failure stands", "[engine][today]") {
  std::vector<StepResult> steps = GENERATE(
      std::vector<StepResult>{step("a", "click")},
      std::vector<StepResult>{step("a", "click"),
                              step("b", "click", false, {{"errorCode", "COMMAND_TIMEOUT"}})});
  Envelope at = envelope_of(steps);
  at.status = EnvelopeStatus::failed;
  at.error = "Agent command timed out after 1000ms";
  at.error_code = "COMMAND_TIMEOUT";
  reconcile(at, {"d", "p"});
  CHECK(at.status == EnvelopeStatus::failed);
  CHECK(at.error == "Agent command timed out after 1000ms");
  CHECK(at.error_code == "COMMAND_TIMEOUT");
}

TEST_CASE("reconcile: steps that the host does make no failure of the app's", "[engine][today]") {
  const StepData left{{"error", "x"}, {"errorCode", "UNSUPPORTED_RUNTIME_SCREENSHOT"}};
  const StepData other{{"error", "x"}, {"errorCode", "NODE_NOT_FOUND"}};
  struct Row {
    const char* name;
    std::vector<StepResult> steps;
    std::optional<std::string> code;
    EnvelopeStatus status;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"only such steps failed",
       {step("p", "take_screenshot", false, left), step("c", "click")},
       "UNSUPPORTED_RUNTIME_SCREENSHOT",
       EnvelopeStatus::success},
      {"and the envelope has no code",
       {step("p", "take_screenshot", false, left), step("c", "click")},
       std::nullopt,
       EnvelopeStatus::success},
      {"another step failed, too",
       {step("p", "take_screenshot", false, left), step("c", "click", false, other)},
       std::nullopt,
       EnvelopeStatus::failed},
      {"the rest of the plan is missing",
       {step("p", "take_screenshot", false, left)},
       std::nullopt,
       EnvelopeStatus::failed},
      {"the app's time was over",
       {step("p", "take_screenshot", false, left), step("c", "click")},
       "COMMAND_TIMEOUT",
       EnvelopeStatus::failed},
      {"nothing failed",
       {step("p", "take_screenshot"), step("c", "click")},
       std::nullopt,
       EnvelopeStatus::failed},
  }));
  INFO(row.name);
  const Execution plan =
      execution({action("p", ActionType::take_screenshot), action("c", ActionType::click)});
  Envelope at = envelope_of(row.steps);
  at.status = EnvelopeStatus::failed;
  at.error = "said by the app";
  at.error_code = row.code;
  take_over_host_steps(at, plan);
  attach_screenshots(at, {{"p", "/a.png"}});
  reconcile(at, {"d", "p"});
  CHECK(at.status == row.status);
  CHECK(at.error.has_value() == (row.status == EnvelopeStatus::failed));
}

TEST_CASE("reconcile: without steps the device's verdict stands", "[engine]") {
  Envelope at = envelope_of({});
  at.status = EnvelopeStatus::failed;
  at.error = "no such node";
  reconcile(at, {"d", "p"});
  CHECK(at.status == EnvelopeStatus::failed);
  CHECK(at.error == "no such node");
  CHECK_FALSE(at.hint);
  Envelope fine = envelope_of({});
  reconcile(fine, {"d", "p"});
  CHECK(fine.status == EnvelopeStatus::success);
}

TEST_CASE("reconcile: a service that is off gets the hint that turns it on", "[engine][R2][R5]") {
  Envelope at = envelope_of({});
  at.status = EnvelopeStatus::failed;
  at.error_code = "SERVICE_UNAVAILABLE";
  reconcile(at, {"phone-1", "com.x"});
  REQUIRE(at.hint);
  CHECK_THAT(*at.hint, Catch::Contains("clawperator doctor --fix --device phone-1"));
  CHECK_THAT(*at.hint, Catch::Contains("operator setup"));

  at.hint.reset();
  reconcile(at, {"phone-1", "com.x", ServiceListing::missing});
  CHECK_THAT(*at.hint, Catch::StartsWith("The system took the accessibility permission back"));
  reconcile(at, {"phone-1", "com.x", ServiceListing::listed});
  CHECK_THAT(*at.hint, Catch::Contains("After a restart unlock the phone once"));

  Envelope success = envelope_of({step("a", "click")});
  success.error_code = "SERVICE_UNAVAILABLE";
  reconcile(success, {"phone-1", "com.x"});
  CHECK_FALSE(success.hint);
}
