#include "skills/phone/play/find_rule.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/hierarchy.hpp"

using namespace clawperator;
using namespace clawperator::recipe;

namespace {

// 0 frame { 1 list { 2 row "Apps" { 3 switch }, 4 row "Sound" { 5 switch } }, 6 button "Apps" }
constexpr std::string_view kScreen = R"(<hierarchy rotation="0">
<node index="0" class="android.widget.FrameLayout" package="a" bounds="[0,0][90,90]">
<node index="0" class="List" resource-id="a:id/list" package="a" bounds="[0,0][90,60]" scrollable="true">
<node index="0" class="Row" text="Apps" package="a" clickable="true" bounds="[0,0][90,30]">
<node index="0" class="Switch" resource-id="a:id/switch" package="a" bounds="[60,0][90,30]"/></node>
<node index="1" class="Row" text="Sound" package="a" clickable="true" selected="true" bounds="[0,30][90,60]">
<node index="0" class="Switch" resource-id="a:id/switch" enabled="false" package="a" bounds="[60,30][90,60]"/></node>
</node>
<node index="1" class="Button" text="Apps" package="a" clickable="true" bounds="[0,60][90,90]"/>
</node></hierarchy>)";

using Nodes = std::vector<std::size_t>;

NodeRule of_class(std::string name) { return {.class_name = std::move(name)}; }
NodeRule of_text(std::string text) { return {.texts = {.text_equals = std::move(text)}}; }
NodeRule of_id(std::string id) { return {.texts = {.resource_id = std::move(id)}}; }

}  // namespace

TEST_CASE("find_rule: every condition must hold", "[skills]") {
  const UiTree tree = *parse_hierarchy(std::string(kScreen));
  REQUIRE(tree.nodes.size() == 7);
  CHECK(find_rule(tree, of_class("Row")) == Nodes{2, 4});
  CHECK(find_rule(tree, of_text("Apps")) == Nodes{2, 6});
  NodeRule rule = of_text("Apps");
  rule.class_name = "Button";
  CHECK(find_rule(tree, rule) == Nodes{6});
  rule.index_in_parent = 0;
  CHECK(find_rule(tree, rule).empty());
  CHECK(find_rule(tree, {.clickable = true}) == Nodes{2, 4, 6});
  CHECK(find_rule(tree, {.clickable = true, .selected = true}) == Nodes{4});
  CHECK(find_rule(tree, {.class_name = "Switch", .enabled = false}) == Nodes{5});
  CHECK(find_rule(tree, {.class_name = "Row", .index_in_parent = 1}) == Nodes{4});
}

TEST_CASE("find_rule: an id may leave out its app", "[skills]") {
  const UiTree tree = *parse_hierarchy(std::string(kScreen));
  CHECK(find_rule(tree, of_id("a:id/switch")) == Nodes{3, 5});
  CHECK(find_rule(tree, of_id("switch")) == Nodes{3, 5});
  CHECK(find_rule(tree, of_id("witch")).empty());
  CHECK(find_rule(tree, of_id("b:id/switch")).empty());
}

TEST_CASE("find_rule: any_of and all_of nest", "[skills]") {
  const UiTree tree = *parse_hierarchy(std::string(kScreen));
  const NodeRule either{.any_of = {of_text("Sound"), of_class("Button")}};
  CHECK(find_rule(tree, either) == Nodes{4, 6});
  CHECK(find_rule(tree, {.all_of = {either, of_class("Row")}}) == Nodes{4});
  CHECK(find_rule(tree, {.all_of = {of_text("Sound"), of_text("Apps")}}).empty());
  CHECK(find_rule(tree, {.any_of = {of_text("No such")}}).empty());
}

TEST_CASE("find_rule: a container is searched with what is below it", "[skills]") {
  const UiTree tree = *parse_hierarchy(std::string(kScreen));
  const NodeRule list = of_class("List"), sound = of_text("Sound"), button = of_class("Button");
  CHECK(find_rule(tree, of_text("Apps"), &list) == Nodes{2});
  CHECK(find_rule(tree, of_class("Switch"), &sound) == Nodes{5});
  CHECK(find_rule(tree, of_text("Apps"), &button) == Nodes{6});
  CHECK(find_rule(tree, of_text("Sound"), &button).empty());
}

TEST_CASE("find_rule: the texts of a rule are those of all its parts", "[skills]") {
  NodeRule rule = of_id("list");
  rule.any_of = {of_text("Apps"), of_class("Row")};
  rule.all_of = {{.any_of = {of_text("Sound")}}};
  const auto texts = texts_of(rule);
  REQUIRE(texts.size() == 3);
  CHECK(texts[0].resource_id == "list");
  CHECK(texts[1].text_equals == "Apps");
  CHECK(texts[2].text_equals == "Sound");
}

TEST_CASE("find_rule: an id may name another app", "[skills]") {
  CHECK(names_other_app(of_id("a:id/list"), "b"));
  CHECK(names_other_app({.all_of = {of_text("x"), of_id("a:id/list")}}, "b"));
  CHECK_FALSE(names_other_app(of_id("a:id/list"), "a"));
  CHECK_FALSE(names_other_app(of_id("android:id/title"), "b"));
  CHECK_FALSE(names_other_app(of_id("title"), "b"));
  CHECK_FALSE(names_other_app(of_text("a:id/list"), "b"));
}
