#include "runtime/act/perform.hpp"
#include "runtime/act/carry_out.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/act/carry_out.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/fake_executor.hpp"
#include "support/node_matchers.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::act;
using adbproto::testing::Loop;
using nlohmann::json;

namespace {

constexpr std::string_view kTwoSame =
    "<hierarchy rotation=\"0\"><node index=\"0\" text=\"Delete\" resource-id=\"a.b:id/one\" "
    "class=\"android.widget.Button\" package=\"a.b\" clickable=\"true\" enabled=\"true\" "
    "bounds=\"[0,0][90,90]\"/><node index=\"1\" text=\"Delete\" resource-id=\"a.b:id/two\" "
    "class=\"android.widget.Button\" package=\"a.b\" clickable=\"true\" enabled=\"false\" "
    "bounds=\"[0,90][90,180]\"/></hierarchy>";

StepResult step(std::string id, std::string type, bool success, StepData data = {}) {
  return {.id = std::move(id),
          .action_type = std::move(type),
          .success = success,
          .data = std::move(data)};
}

ExecuteResult answered(std::vector<StepResult> steps) {
  ExecuteResult result;
  result.device_id = "phone";
  result.envelope.status = EnvelopeStatus::success;
  result.envelope.step_results = std::move(steps);
  return result;
}

StepResult snapshot(std::string id) {
  return step(std::move(id), "snapshot_ui", true, {{"text", std::string(kTwoSame)}});
}

ExecuteResult failed(std::string code, std::string error, std::vector<StepResult> steps) {
  ExecuteResult result = answered(std::move(steps));
  result.envelope.status = EnvelopeStatus::failed;
  result.envelope.error_code = std::move(code);
  result.envelope.error = std::move(error);
  return result;
}

ExecuteResult missed() {
  return failed("NODE_NOT_FOUND", "No UI node found", {step("click", "click", false)});
}

Task<void> perform_into(Executor* executor, Request request, Outcome* outcome) {
  *outcome = co_await perform(executor, std::move(request));
  co_return ok();
}

Task<ExecuteResult> miss() { co_return missed(); }

// A caller of the user's commands, and an executor that answers as a test lays out.
struct Bench {
  Loop loop;
  adbproto::testing::TempFolder folder;
  test::FakeExecutor executor;
  Seen seen{.by = Seen::By::user, .store = SnapshotStore(folder.path() / "snapshots")};

  Request request(std::variant<Action, Payload> what) {
    return {.what = std::move(what), .how = {}, .seen = seen};
  }
  Outcome run(Request request) {
    Outcome outcome;
    const auto done = loop.run(perform_into(&executor, std::move(request), &outcome));
    REQUIRE(done);
    return outcome;
  }
  // What the phone would get of the n-th execution.
  json sent(std::size_t n) { return json::parse(to_json(executor.requests.at(n).execution)); }
  std::string show() {
    const UiTree tree = *parse_hierarchy(kTwoSame);
    seen.store.keep(tree.hash, kTwoSame);
    seen.store.note_shown("phone", "phone", tree.hash);
    return tree.hash;
  }
};

Click tap_on(NodeMatcher matcher) { return {.matcher = Selector{std::move(matcher)}}; }

}  // namespace

TEST_CASE("perform: an action is one execution by the backend of its kind", "[act]") {
  Bench bench;
  bench.executor.outcome = answered({step("click", "click", true)});
  bench.run(bench.request(tap_on(test::with_text("Delete"))));
  bench.run(bench.request(PressKey{"back"}));
  REQUIRE(bench.executor.requests.size() == 2);
  CHECK(bench.executor.requests[0].backend == Backend::operator_app);
  CHECK(bench.executor.requests[1].backend == Backend::shell);
  CHECK(bench.sent(0)["actions"].size() == 1);
}

TEST_CASE("perform: a bare ref is of the screen shown last, and the request is for its device",
          "[act]") {
  Bench bench;
  const std::string hash = bench.show();
  Request request = bench.request(Click{});
  request.ref = "@2";
  bench.executor.outcome = answered({step("click", "click", true)});
  REQUIRE(bench.run(request).result);
  const ExecuteRequest& sent = bench.executor.requests.at(0);
  CHECK(sent.target.device == "phone");
  REQUIRE(sent.shown);
  CHECK(sent.shown->ref == hash + "@2");
  CHECK(bench.sent(0)["actions"][0]["params"]["matcher"]["resourceId"] == "a.b:id/two");
  // It is there, or it is stale: two tries, not the app's five.
  CHECK(bench.sent(0)["actions"][0]["params"]["retry"]["maxAttempts"] == 2);
}

TEST_CASE("perform: a bare ref is of the device that is named, whatever was shown later", "[act]") {
  Bench bench;
  const std::string hash = bench.show();
  const std::string later = "<hierarchy rotation=\"0\"></hierarchy>";
  const UiTree other = *parse_hierarchy(later);
  bench.seen.store.keep(other.hash, later);
  bench.seen.store.note_shown("other", "other", other.hash);
  Request request = bench.request(Click{});
  request.ref = "@1";
  request.how.target.device = "phone";
  bench.executor.outcome = answered({step("click", "click", true)});
  REQUIRE(bench.run(request).result);
  CHECK(bench.executor.requests.at(0).shown->ref == hash + "@1");
  request.how.target.device = "third";
  CHECK(bench.run(request).result.error().code() == errc::stale_ref);
}

TEST_CASE("perform: a ref that names nothing sends nothing", "[act]") {
  Bench bench;
  for (const auto& [ref, by, code] : std::vector<std::tuple<std::string, Seen::By, Errc>>{
           {"@1", Seen::By::user, errc::stale_ref},
           {"@1", Seen::By::anyone, errc::usage},
           {"0123456789ab@1", Seen::By::anyone, errc::stale_ref},
           {"one", Seen::By::user, errc::usage}}) {
    CAPTURE(ref);
    Request request = bench.request(Click{});
    request.ref = ref;
    request.seen.by = by;
    const Outcome outcome = bench.run(request);
    REQUIRE_FALSE(outcome.result);
    CHECK(outcome.result.error().code() == code);
    CHECK_FALSE(outcome.execution);
  }
  CHECK(bench.executor.requests.empty());
}

TEST_CASE("perform: the n-th node is found by a look, and named by what only it fulfils", "[act]") {
  Bench bench;
  bench.executor.outcomes = {answered({snapshot("snap")}),
                             answered({step("click", "click", true)})};
  Request request = bench.request(tap_on(test::with_text("Delete")));
  request.nth = 2;
  const Outcome outcome = bench.run(request);
  REQUIRE(outcome.result);
  CHECK(bench.sent(0)["actions"][0]["type"] == "snapshot_ui");
  CHECK(bench.sent(1)["actions"][0]["params"]["matcher"]["resourceId"] == "a.b:id/two");
  CHECK(bench.executor.requests[1].target.device == "phone");
  CHECK(outcome.beside().str().starts_with(R"({"matches":2,"taken":"button )"));
}

TEST_CASE("perform: a plan that cannot run costs no look", "[act]") {
  Bench bench;
  Request request = bench.request(
      EnterText{.matcher = Selector{test::with_text("x")}, .text = std::string(70000, 'x')});
  request.nth = 2;
  CHECK(bench.run(request).result.error().code() == errc::execution_validation_failed);
  CHECK(bench.executor.requests.empty());
}

TEST_CASE("perform: trees around the action prove the effect and say what stopped it", "[act]") {
  Bench bench;
  bench.executor.outcome =
      answered({snapshot("before"), step("click", "click", true), snapshot("look")});
  Request request = bench.request(tap_on({.resource_id = "a.b:id/two"}));
  request.verify = Verify{};
  const Outcome outcome = bench.run(request);
  REQUIRE(outcome.result);
  CHECK(outcome.beside().str() ==
        R"({"warn":"the node is disabled","effect":"unchanged","proof":"tree"})");
  // The caller did not request the screen.
  CHECK(outcome.result->envelope.step_results.size() == 1);
  CHECK(bench.sent(0)["actions"].size() == 4);  // before, click, settle, look
}

TEST_CASE("perform: the phone's shell acts without a look unless the screen is wanted", "[act]") {
  Bench bench;
  bench.executor.outcome = answered({step("a1", "press_key", true)});
  Request request = bench.request(PressKey{"home"});
  request.verify = Verify{};
  bench.run(request);
  CHECK(bench.sent(0)["actions"].size() == 1);
  CHECK(bench.executor.requests[0].verify);
  request.observe = Observation{};
  bench.run(request);
  CHECK(bench.executor.requests[1].backend == Backend::operator_app);
  CHECK(bench.sent(1)["actions"].size() == 4);
}

TEST_CASE("perform: the requested screen is rendered, and can be referred to", "[act]") {
  Bench bench;
  bench.executor.outcome = answered({step("click", "click", true), snapshot("look")});
  Request request = bench.request(tap_on(test::with_text("Delete")));
  request.observe = Observation{};
  const Outcome outcome = bench.run(request);
  REQUIRE(outcome.result);
  const StepData& data = outcome.result->envelope.step_results.at(1).data;
  CHECK(find_data(data, "text")->contains("button \"Delete\" #one"));
  CHECK(bench.seen.store.last_shown("phone")->hash == *find_data(data, "tree_hash"));
}

TEST_CASE("perform: a miss is explained by one look, where that is wanted", "[act]") {
  Bench bench;
  bench.executor.outcomes = {missed(), answered({snapshot("snap")})};
  const Outcome outcome = bench.run(bench.request(tap_on(test::with_text("delete all"))));
  REQUIRE(outcome.result);
  CHECK(bench.executor.requests.size() == 2);
  const json members = json::parse(outcome.beside().str());
  CHECK(members["miss"]["foreground"] == "a.b");
  bench.executor.outcomes = {missed()};
  Request silent = bench.request(tap_on(test::with_text("delete all")));
  silent.explains_miss = false;
  CHECK(bench.run(silent).beside().empty());
  CHECK(bench.executor.requests.size() == 3);
}

TEST_CASE("perform: an explanation that is cut short leaves the result", "[act]") {
  Bench bench;
  const auto outcome_when = [&](const std::function<Task<ExecuteResult>()>& look) {
    bench.executor.on_execute = [look](const ExecuteRequest& request) {
      const bool is_look = request.execution.actions.front().type() == ActionType::snapshot_ui;
      return is_look ? look() : miss();
    };
    return bench.run(bench.request(tap_on(test::with_text("x"))));
  };
  const Outcome failing = outcome_when(
      []() -> Task<ExecuteResult> { co_return fail(errc::closed, "the phone is gone"); });
  const Outcome cut = outcome_when([]() -> Task<ExecuteResult> {
    throw std::system_error(asio::error::operation_aborted);
    co_return fail(errc::cancelled, "");
  });
  for (const Outcome* outcome : {&failing, &cut}) {
    REQUIRE(outcome->result);
    CHECK(outcome->result->envelope.error_code == "NODE_NOT_FOUND");
    CHECK(outcome->miss.empty());
  }
}

TEST_CASE("perform: the plan's own look explains a miss, and costs no further one", "[act]") {
  Bench bench;
  ExecuteResult result = missed();
  result.envelope.step_results.push_back(snapshot("look"));
  bench.executor.outcomes = {result};
  Request request = bench.request(tap_on(test::with_text("Remove")));
  request.observe = Observation{};
  CHECK(json::parse(bench.run(request).beside().str())["miss"]["foreground"] == "a.b");
  CHECK(bench.executor.requests.size() == 1);
}

TEST_CASE("perform: several nodes where one alone was to fit become candidates", "[act]") {
  Bench bench;
  bench.executor.outcomes = {failed("NODE_AMBIGUOUS", "2 nodes", {step("click", "click", false)}),
                             answered({snapshot("snap")})};
  Request request =
      bench.request(Click{.matcher = Selector{test::with_text("Delete")}, .strict = true});
  const json members = json::parse(bench.run(request).beside().str());
  CHECK(members["matches"] == 2);
  CHECK(members["candidates"].size() == 2);
}

TEST_CASE("perform: an app that cannot be strict is sent nothing where a look shows several",
          "[act]") {
  Bench bench;
  const auto too_old =
      fail(errc::operator_feature_missing, "too old", R"({"details":{"feature":"strict"}})");
  bench.executor.outcomes = {too_old, answered({snapshot("snap")})};
  Request request =
      bench.request(Click{.matcher = Selector{test::with_text("Delete")}, .strict = true});
  CHECK(bench.run(request).result.error().code() == errc::node_ambiguous);
  CHECK(bench.executor.requests.size() == 2);
  bench.executor.outcomes = {too_old, answered({snapshot("snap")}),
                             answered({step("click", "click", true)})};
  request.what = Click{.matcher = Selector{{.resource_id = "a.b:id/one"}}, .strict = true};
  CHECK(bench.run(request).result);
  CHECK_FALSE(bench.sent(4)["actions"][0]["params"].contains("strict"));
}

TEST_CASE("perform: a payload keeps its own words, and gets node and look where they are wanted",
          "[act]") {
  Bench bench;
  const std::string hash = bench.show();
  bench.executor.outcome = answered({step("a", "click", true), snapshot("look")});
  const auto payload = [](const std::string& params) {
    return Payload{R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":)"
                   R"("android-ui-automator","timeoutMs":5000,"actions":[{"id":"a","type":"click",)"
                   R"("params":)" +
                   params + "}]}"};
  };
  bench.run(bench.request(payload(R"({"matcher":{"textEquals":"Delete"}})")));
  CHECK(bench.sent(0)["commandId"] == "c");
  CHECK(bench.sent(0)["actions"].size() == 1);
  Request request = bench.request(payload("{}"));
  request.ref = hash + "@1";
  request.observe = Observation{.settle = {}};
  const Outcome outcome = bench.run(request);
  REQUIRE(outcome.result);
  CHECK(bench.sent(1)["actions"][0]["params"]["matcher"]["resourceId"] == "a.b:id/one");
  CHECK(bench.sent(1)["actions"][1]["id"] == "look");
  CHECK(bench.executor.requests[1].shown->ref == hash + "@1");
  request.what = payload(R"({"matcher":{"textEquals":"Delete"}})");
  CHECK(bench.run(request).result.error().code() == errc::usage);
  CHECK(bench.executor.requests.size() == 2);
  Request alone = bench.request(payload(R"({"matcher":{"textEquals":"Delete"}})"));
  alone.one_alone = true;
  bench.run(alone);
  CHECK(bench.sent(2)["actions"][0]["params"]["strict"] == true);
}

TEST_CASE("perform: a wait goes in parts until its time is over", "[act]") {
  Bench bench;
  bench.executor.outcomes = {missed(), answered({step("wait", "wait_for_node", true)})};
  Request request =
      bench.request(WaitForNode{.matcher = Selector{test::with_text("x")}, .timeout_ms = 5000});
  request.part_of_wait = std::chrono::milliseconds(1);
  CHECK(succeeded(bench.run(request).result->envelope));
  CHECK(bench.executor.requests.size() == 2);
  CHECK(bench.sent(0)["actions"][0]["params"]["timeoutMs"] == 1);
}

TEST_CASE("perform: a short id is one of the screen shown last, else of the screen now", "[act]") {
  Bench bench;
  bench.executor.outcome = answered({step("click", "click", true)});
  Request request = bench.request(tap_on({.resource_id = "two"}));
  request.short_ids = ShortIds::shown;
  bench.run(request);
  CHECK(bench.sent(0)["actions"][0]["params"]["matcher"]["resourceId"] == "two");
  bench.show();
  bench.run(request);
  CHECK(bench.sent(1)["actions"][0]["params"]["matcher"]["resourceId"] == "a.b:id/two");
  request.what = tap_on({.resource_id = "other"});
  request.short_ids = ShortIds::found;
  bench.executor.outcomes = {answered({snapshot("snap")}),
                             answered({step("click", "click", true)})};
  bench.run(request);
  CHECK(bench.sent(3)["actions"][0]["params"]["matcher"]["resourceId"] == "a.b:id/other");
}

namespace {

Payload plan_with(const std::string& steps) {
  return {R"({"commandId":"c","taskId":"t","source":"s","expectedFormat":"android-ui-automator",)"
          R"("timeoutMs":5000,"actions":)" +
          steps + "}"};
}

constexpr std::string_view kClickDelete =
    R"({"id":"a","type":"click","params":{"matcher":{"textEquals":"Delete"}}})";

}  // namespace

TEST_CASE("perform: a plan's own steps may have the names of ours", "[act]") {
  Bench bench;
  bench.executor.outcome =
      failed("NODE_NOT_FOUND", "Step before (click) failed", {step("before", "click", false)});
  Request own = bench.request(
      plan_with(R"([{"id":"before","type":"click","params":{"matcher":{"textEquals":"x"}}}])"));
  own.explains_miss = false;
  const Outcome outcome = bench.run(own);
  REQUIRE(outcome.result);
  CHECK(outcome.result->envelope.status == EnvelopeStatus::failed);
  CHECK(outcome.result->envelope.step_results.size() == 1);

  bench.executor.outcome = answered({snapshot("look"), step("a", "click", true), snapshot("look")});
  Request look = bench.request(
      plan_with(R"([{"id":"look","type":"snapshot_ui"},)" + std::string(kClickDelete) + "]"));
  look.observe = Observation{};
  const Outcome seen = bench.run(look);
  REQUIRE(seen.result);
  const auto& steps = seen.result->envelope.step_results;
  CHECK_FALSE(find_data(steps.front().data, "tree_hash"));
  CHECK(find_data(steps.back().data, "tree_hash"));
}

TEST_CASE("perform: nth and the screen afterwards go together in a payload", "[act]") {
  Bench bench;
  bench.executor.outcomes = {answered({snapshot("snap")}),
                             answered({step("a", "click", true), snapshot("look")})};
  Request request = bench.request(plan_with("[" + std::string(kClickDelete) + "]"));
  request.nth = 2;
  request.observe = Observation{};
  request.verify = Verify{};
  REQUIRE(bench.run(request).result);
  const json steps = bench.sent(1)["actions"];
  REQUIRE(steps.size() == 4);  // before, the click, settle, look
  CHECK(steps[1]["params"]["matcher"]["resourceId"] == "a.b:id/two");
}

TEST_CASE("perform: a ref binds the one step that takes a node, and no other", "[act]") {
  Bench bench;
  const std::string hash = bench.show();
  const std::string bare = R"({"id":"r","type":"click","params":{}})";
  for (const std::string& steps :
       {"[" + bare + "," + std::string(kClickDelete) + "]",
        std::string(R"([{"id":"r","type":"click","params":{"selector":{"textEquals":"x"}}}])")}) {
    CAPTURE(steps);
    Request request = bench.request(plan_with(steps));
    request.ref = hash + "@1";
    CHECK(bench.run(request).result.error().code() == errc::usage);
  }
  CHECK(bench.executor.requests.empty());
  // nth has read the screen itself: the plan goes on to other nodes.
  bench.executor.outcomes = {answered({snapshot("snap")}), answered({step("a", "click", true)})};
  Request nth = bench.request(
      plan_with("[" + std::string(kClickDelete) +
                R"(,{"id":"b","type":"click","params":{"matcher":{"textEquals":"Done"}}}])"));
  nth.nth = 1;
  REQUIRE(bench.run(nth).result);
  CHECK_FALSE(bench.executor.requests.at(1).shown);
}

TEST_CASE("perform: a plan that is only shown masks what a seen password field gets", "[act]") {
  Bench bench;
  const std::string login =
      "<hierarchy rotation=\"0\"><node index=\"0\" text=\"\" resource-id=\"a.b:id/pw\" "
      "class=\"android.widget.EditText\" package=\"a.b\" password=\"true\" enabled=\"true\" "
      "bounds=\"[0,0][90,90]\"/></hierarchy>";
  const UiTree tree = *parse_hierarchy(login);
  bench.seen.store.keep(tree.hash, login);
  bench.seen.store.note_shown("phone", "phone", tree.hash);
  const auto is_secret = [&](const std::string& id) {
    const Request request =
        bench.request(EnterText{.matcher = Selector{{.resource_id = id}}, .text = "correct horse"});
    auto plan = plan_of(request);
    REQUIRE(plan);
    mark_seen_passwords(request, *plan);
    return plan->actions.front().as<EnterText>()->secret;
  };
  CHECK(is_secret("a.b:id/pw"));
  CHECK_FALSE(is_secret("a.b:id/name"));
}
