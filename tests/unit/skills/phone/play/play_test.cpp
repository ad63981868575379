#include "skills/phone/play/play.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/errc.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "support/fake_executor.hpp"
#include "support/run_task.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

namespace {

std::string xml_of(std::string_view text, std::string_view id, int top) {
  return "<node index=\"0\" text=\"" + std::string(text) + "\" resource-id=\"a.b:id/" +
         std::string(id) +
         "\" class=\"android.widget.Button\" package=\"a.b\" clickable=\"true\" " +
         "enabled=\"true\" bounds=\"[0," + std::to_string(top) + "][90," +
         std::to_string(top + 40) + "]\"/>";
}

ExecuteResult answered(std::string type, StepData data = {}) {
  ExecuteResult result;
  result.device_id = "phone";
  result.envelope.status = EnvelopeStatus::success;
  result.envelope.step_results = {
      {.id = "a1", .action_type = std::move(type), .success = true, .data = std::move(data)}};
  return result;
}

ExecuteResult screen(std::string_view nodes) {
  return answered("snapshot_ui",
                  {{"text", "<hierarchy rotation=\"0\">" + std::string(nodes) + "</hierarchy>"}});
}

PlanStep step(std::string id, Action action, std::optional<NodeRule> rule = std::nullopt) {
  action.id = std::move(id);
  return {.action = std::move(action), .place = {.line = 7}, .node = std::move(rule)};
}

NodeRule rule_of(std::string id) { return {.texts = {.resource_id = "a.b:id/" + std::move(id)}}; }

struct Bench {
  adbproto::testing::Loop loop;
  test::FakeExecutor executor;
  Play wanted{.file = "r.md", .app = "a.b"};

  Result<Played> run() { return loop.run(play(&executor, std::move(wanted))); }
  // The kinds of the actions that were sent.
  std::vector<ActionType> sent() const {
    std::vector<ActionType> types;
    for (const auto& request : executor.requests) {
      types.push_back(request.execution.actions.front().type());
    }
    return types;
  }
};

using Types = std::vector<ActionType>;

}  // namespace

TEST_CASE("play: a node is found on a snapshot, and the touch is bound to it and to the phone",
          "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("one", Click(), rule_of("two"))};
  bench.executor.outcomes = {screen(xml_of("x", "one", 0) + xml_of("y", "two", 40)),
                             answered("click")};
  const auto played = bench.run();
  REQUIRE(played);
  CHECK(played->done == std::vector<std::string>{"one"});
  CHECK(played->device_id == "phone");
  REQUIRE(bench.sent() == Types{ActionType::snapshot_ui, ActionType::click});
  const ExecuteRequest& touch = bench.executor.requests[1];
  CHECK(touch.target.device == "phone");
  REQUIRE(touch.shown);
  CHECK(touch.shown->matcher.resource_id == "a.b:id/two");
  CHECK(touch.shown->front == "a.b");
}

TEST_CASE("play: a touch without an answer is not repeated, and nothing follows it", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("first", Click(), rule_of("one")),
                        step("second", Click(), rule_of("one")),
                        step("third", Click(), rule_of("one"))};
  const Error lost(errc::result_envelope_timeout, "no answer");
  bench.executor.outcomes = {screen(xml_of("x", "one", 0)), answered("click"),
                             screen(xml_of("x", "one", 0)), std::unexpected(lost)};
  const auto played = bench.run();
  REQUIRE_FALSE(played);
  CHECK(played.error().code() == errc::result_envelope_timeout);
  const Json error = Json::parse(to_json(played.error()));
  CHECK(error["details"]["step"] == "second");
  CHECK(error["details"]["done"] == Json::array({"first"}));
  CHECK(error["details"]["line"] == 7);
  CHECK(bench.sent().size() == 4);
}

TEST_CASE("play: after Ctrl-C during a touch nothing follows, and the touch counts as done",
          "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("first", Click(), rule_of("one")),
                        step("second", Click(), rule_of("one"))};
  std::shared_ptr<adbproto::testing::Started<Played>> running;
  bench.executor.on_execute = [&](ExecuteRequest request) -> Task<ExecuteResult> {
    const bool looks = request.execution.actions.front().is<Snapshot>();
    bench.executor.requests.push_back(std::move(request));
    if (looks) co_return screen(xml_of("x", "one", 0));
    running->cancel();
    co_return answered("click");
  };
  running = bench.loop.start(play(&bench.executor, std::move(bench.wanted)));
  const auto played = bench.loop.finish(running);
  REQUIRE_FALSE(played);
  CHECK(played.error().code() == errc::cancelled);
  const Json error = Json::parse(to_json(played.error()));
  CHECK(error["details"]["done"] == Json::array({"first"}));
  CHECK(error["details"]["step"] == "second");
  CHECK(bench.sent() == Types{ActionType::snapshot_ui, ActionType::click});
}

TEST_CASE("play: a node of another app on the same screen does not count", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("one", Click(), NodeRule{.texts = {.text_equals = "x"}})};
  std::string foreign = xml_of("x", "one", 0);
  foreign.replace(foreign.find("package=\"a.b\""), 13, "package=\"o.o\"");
  bench.executor.outcomes = {screen(foreign + xml_of("x", "two", 40) + xml_of("y", "three", 80)),
                             answered("click")};
  REQUIRE(bench.run());
  CHECK(bench.executor.requests[1].shown->matcher.resource_id == "a.b:id/two");
}

TEST_CASE("play: a node that has moved before the touch is searched for again", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("one", Click(), rule_of("one"))};
  bench.executor.outcomes = {screen(xml_of("x", "one", 0)),
                             std::unexpected(Error(errc::stale_ref, "moved")),
                             screen(xml_of("x", "one", 40)), answered("click")};
  REQUIRE(bench.run());
  CHECK(bench.sent() == Types{ActionType::snapshot_ui, ActionType::click, ActionType::snapshot_ui,
                              ActionType::click});
}

TEST_CASE("play: several nodes are an error once the screen is still", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("one", Click(), NodeRule{.texts = {.text_equals = "x"}})};
  const auto two = [](int top) { return screen(xml_of("x", "one", 0) + xml_of("x", "two", top)); };
  bench.executor.outcomes = {two(40), two(50), two(50)};
  const auto played = bench.run();
  REQUIRE_FALSE(played);
  CHECK(played.error().code() == errc::node_ambiguous);
  CHECK(bench.sent() == Types(3, ActionType::snapshot_ui));
}

TEST_CASE("play: a list is scrolled until the node is there, and its end is the end", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("one", ScrollAndClick(), rule_of("far"))};
  SECTION("it comes") {
    int scrolls = 0;
    bench.executor.on_execute = [&](ExecuteRequest request) -> Task<ExecuteResult> {
      const ActionType type = request.execution.actions.front().type();
      bench.executor.requests.push_back(std::move(request));
      if (type == ActionType::scroll) ++scrolls;
      if (type != ActionType::snapshot_ui) co_return answered("scroll");
      co_return screen(scrolls < 2 ? xml_of("x", "near", scrolls) : xml_of("x", "far", 0));
    };
    REQUIRE(bench.run());
    CHECK(scrolls == 2);
    CHECK(bench.sent().back() == ActionType::click);
  }
  SECTION("it does not") {
    bench.executor.on_execute = [&](ExecuteRequest request) -> Task<ExecuteResult> {
      const ActionType type = request.execution.actions.front().type();
      bench.executor.requests.push_back(std::move(request));
      if (type != ActionType::snapshot_ui) co_return answered("scroll");
      co_return screen(xml_of("x", "near", 0));
    };
    const auto played = bench.run();
    REQUIRE_FALSE(played);
    CHECK(played.error().code() == errc::node_not_found);
    const auto sent = bench.sent();
    CHECK(std::ranges::count(sent, ActionType::scroll) == 1);
    CHECK(std::ranges::count(sent, ActionType::click) == 0);
  }
}

TEST_CASE("play: what is read and not printed is a secret of what follows", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("name", ReadText(), rule_of("one")),
                        step("go", Click(), rule_of("two"))};
  bench.wanted.outputs = {
      {.name = "name", .type = "string", .redaction = Redaction::mask, .step = "name"}};
  const Error error(errc::closed, "lost at 'Jo Doe'");
  bench.executor.outcomes = {screen(xml_of("Jo Doe", "one", 0)), screen(xml_of("Jo Doe", "two", 0)),
                             std::unexpected(error)};
  const auto played = bench.run();
  REQUIRE_FALSE(played);
  CHECK_FALSE(to_json(played.error()).contains("Jo Doe"));
  REQUIRE(bench.executor.requests.size() == 3);
  CHECK(bench.executor.requests[2].secrets.has("Jo Doe"));
}

TEST_CASE("play: a failure behind a change is one of its verification", "[skills]") {
  Bench bench;
  bench.wanted.steps = {step("change", Click(), rule_of("one")),
                        step("check", WaitForNode{.timeout_ms = 1}, rule_of("no"))};
  bench.executor.outcomes = {screen(xml_of("x", "one", 0)), answered("click")};
  bench.executor.outcome = screen(xml_of("x", "one", 0));
  const auto played = bench.run();
  REQUIRE_FALSE(played);
  CHECK(played.error().code() == errc::verify_failed);
  const Json error = Json::parse(to_json(played.error()));
  CHECK(error["details"]["cause"]["code"] == "NODE_NOT_FOUND");
}
