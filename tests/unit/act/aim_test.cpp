#include "runtime/act/aim.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/engine/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "support/node_matchers.hpp"

using namespace clawperator;
using namespace clawperator::act;
using namespace clawperator::test;

namespace {

// Two that nothing distinguishes, one with an id of its own that is disabled, and one that is
// nothing to read or do.
constexpr std::string_view kAimed =
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    "<node index=\"0\" text=\"Same\" class=\"android.widget.Button\" clickable=\"true\" "
    "enabled=\"true\" bounds=\"[0,0][10,20]\" />"
    "<node index=\"1\" text=\"Same\" class=\"android.widget.Button\" clickable=\"true\" "
    "enabled=\"true\" bounds=\"[0,20][10,40]\" />"
    "<node index=\"2\" text=\"Same\" resource-id=\"a:id/b\" class=\"android.widget.Button\" "
    "clickable=\"true\" enabled=\"false\" bounds=\"[0,40][10,60]\" />"
    "<node index=\"3\" text=\"\" resource-id=\"a:id/c\" class=\"android.view.View\" "
    "enabled=\"true\" bounds=\"[0,60][10,80]\" /></hierarchy>";

StepResult snapshot_of(std::string_view xml) {
  StepResult step;
  step.action_type = "snapshot_ui";
  step.success = true;
  step.data.emplace_back("text", std::string(xml));
  return step;
}

Click click_on(NodeMatcher matcher) { return {.matcher = Selector{std::move(matcher)}}; }

}  // namespace

TEST_CASE("aim: the first of several nodes is reported as its line, without a ref") {
  const UiTree tree = *parse_hierarchy(kAimed);
  const Matches three = matches_of(tree, with_text("Same"));
  CHECK(three.count == 3);
  CHECK(three.taken == "button \"Same\" (5,10) click");
  const Matches plain = matches_of(tree, with_id("a:id/c"));
  CHECK(plain.count == 1);
  CHECK(plain.taken == "view #c (5,70)");
  const Matches none = matches_of(tree, with_text("Other"));
  CHECK((none.count == 0 && none.taken.empty()));
}

TEST_CASE("aim: the nth node, by what only it fulfils, else as its point") {
  const UiTree tree = *parse_hierarchy(kAimed);
  const auto second = find_nth(tree, with_text("Same"), 2);
  REQUIRE(second);
  CHECK(std::get<Point>(second->place) == Point{5, 30});
  CHECK(second->matches.taken == "button \"Same\" (5,30) click");
  const Error otherwise(errc::usage, "no selector");
  CHECK(aimed_at(Click{.strict = true}, *second, otherwise) ==
        Action(Click{.coordinate = Coordinate{5, 30}}));
  CHECK(aimed_at(EnterText{}, *second, otherwise).error().message() == "no selector");
  CHECK(aimed_at(PressKey{"back"}, *second, otherwise).error().code() == errc::usage);
  UiTree beside = tree;
  beside.nodes[1].bounds = {0, 80, 10, 90};
  CHECK(find_nth(beside, with_text("Same"), 2).error().code() == errc::off_screen);
  const auto third = find_nth(tree, with_text("Same"), 3);
  REQUIRE(third);
  const Action typed = *aimed_at(EnterText{}, *third, otherwise);
  CHECK(param_as<Selector>(typed, "matcher")->fields.resource_id == "a:id/b");
  CHECK(*param_as<Retry>(typed, "retry") == retry_for(std::chrono::milliseconds(250)));
  const Action patient =
      *aimed_at(Click{.retry = retry_for(std::chrono::milliseconds(1000))}, *third, otherwise);
  CHECK(*param_as<Retry>(patient, "retry") == retry_for(std::chrono::milliseconds(1000)));
  for (const std::size_t nth : {std::size_t{0}, std::size_t{4}, SIZE_MAX}) {
    const auto missing = find_nth(tree, with_text("Same"), nth);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code() == errc::node_not_found);
    CHECK(missing.error().members().contains(R"("matches":3)"));
  }
}

TEST_CASE("aim: what the trees around an action say of its target") {
  StepResult before = snapshot_of(kAimed);
  const auto three = report_target(&before, nullptr, click_on(with_text("Same")));
  CHECK(three.matches.count == 3);
  CHECK(find_data(before.data, "tree_hash") != nullptr);
  const auto one = report_target(&before, nullptr, click_on(with_id("a:id/b")));
  CHECK(one.stopped_by == "the node is disabled");
  CHECK(one.matches.count == 0);
  const StepResult after = snapshot_of(kAimed);
  CHECK(report_target(nullptr, &after, click_on(with_text("Same"))).matches.count == 0);
  CHECK(report_target(nullptr, nullptr, click_on(with_text("Same"))).matches.count == 0);
  StepResult garbage = snapshot_of("<hierarchy");
  CHECK(report_target(&garbage, nullptr, click_on(with_text("Same"))).matches.count == 0);
  CHECK_FALSE(report_target(&before, nullptr, PressKey{"back"}).stopped_by);
}

TEST_CASE("aim: a step of a payload gets the node in the contract's words") {
  const UiTree tree = *parse_hierarchy(kAimed);
  const Error otherwise(errc::usage, "no selector");
  const auto point = *find_nth(tree, with_text("Same"), 2);
  const auto selector = *find_nth(tree, with_text("Same"), 3);
  Json click = Json::parse(R"({"id":"a","type":"tap","params":{"matcher":{"textEquals":"Same"}}})");
  REQUIRE(aim_step(click, point, otherwise));
  CHECK(click["params"].dump() == R"({"coordinate":{"x":5,"y":30}})");
  Json type = Json::parse(R"({"id":"a","type":"enter_text","params":{"text":"x"}})");
  CHECK_FALSE(aim_step(type, point, otherwise));
  auto password = selector;
  password.is_password = true;
  REQUIRE(aim_step(type, password, otherwise));
  CHECK(type["params"]["matcher"]["resourceId"] == "a:id/b");
  CHECK(type["params"]["secret"] == true);
  Json sleep = Json::parse(R"({"id":"a","type":"sleep"})");
  CHECK(aim_step(sleep, selector, otherwise).error().code() == errc::usage);
}

TEST_CASE(
    "aim: where one alone is to match, several are reported with their refs, and none is "
    "no error") {
  const UiTree tree = *parse_hierarchy(kAimed);
  CHECK(check_alone(tree, with_id("a:id/c")));
  CHECK(check_alone(tree, with_text("Other")));
  const auto several = check_alone(tree, with_text("Same"));
  REQUIRE_FALSE(several);
  CHECK(several.error().code() == errc::node_ambiguous);
  CHECK(several.error().message() == "3 nodes match");
  const std::string described =
      describe_candidates(tree, matching_nodes(tree, with_text("Same"))).str();
  CHECK(described.starts_with(R"({"matches":3,"candidates":[")" + tree.hash + "@1 button"));
  CHECK(describe_candidates(tree, matching_nodes(tree, with_id("a:id/c")))
            .str()
            .contains(R"x(["view #c (5,70)"])x"));
}
