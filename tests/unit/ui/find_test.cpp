#include "runtime/ui/find.hpp"

#include <catch2/catch.hpp>

#include "support/node_matchers.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::with_role;
using test::with_text;

namespace {

test::Widget text_widget(std::string id, std::string what) {
  return {.class_name = "android.widget.TextView", .id = std::move(id), .text = std::move(what)};
}

test::Widget list_row(std::string title, std::string summary) {
  test::Widget widget{.class_name = "android.widget.LinearLayout", .clickable = true};
  widget.children = {{.children = {text_widget("a:id/title", std::move(title))}},
                     {.children = {text_widget("a:id/summary", std::move(summary))}}};
  return widget;
}

// Two lists, one below the other.
UiTree two_lists() {
  test::Widget first{.class_name = "androidx.recyclerview.widget.RecyclerView", .id = "a:id/first"};
  first.children = {list_row("Wi-Fi", "On"), list_row("Storage", "")};
  test::Widget second{
      .class_name = "android.widget.ScrollView", .id = "a:id/second", .scrollable = true};
  second.children = {list_row("Storage", "47% used"), {.desc = "Back"}};
  return test::tree_of({{.children = {first, second}}});
}

}  // namespace

TEST_CASE("find: the first node in document order, anywhere or below another") {
  const UiTree tree = two_lists();
  const auto anywhere = find_node(tree, with_text("Storage"));
  NodeMatcher second;
  second.resource_id = "a:id/second";
  const auto list = find_node(tree, second);
  REQUIRE((anywhere && list));
  const auto below = find_node(tree, with_text("Storage"), *list);
  REQUIRE(below);
  CHECK(*anywhere < *list);
  CHECK(*below > *list);
  CHECK_FALSE(find_node(tree, with_text("Wi-Fi"), *list));
  CHECK(find_node(tree, second, *list) == list);
  CHECK(end_of_subtree(tree, *list) == tree.nodes.size());
  CHECK(first_scrollable(tree) == list);
  CHECK_FALSE(first_scrollable(tree, *anywhere));
}

TEST_CASE("find: a role is the app's, or the one that a snapshot shows") {
  const UiTree tree = two_lists();
  const auto item = find_node(tree, with_role("ListItem"));
  REQUIRE(item);
  CHECK(tree.nodes[*item].flags.clickable);
  const auto list = find_node(tree, with_role("list"));
  REQUIRE(list);
  CHECK(tree.nodes[*list].resource_id == "a:id/first");
  const auto both = find_node(tree, [] {
    NodeMatcher matcher = with_role("listitem");
    matcher.text_equals = "Storage";
    return matcher;
  }());
  CHECK_FALSE(both);
}

TEST_CASE("find: a value is the text behind its label, within the item around both") {
  const UiTree tree = two_lists();
  const auto label = find_node(tree, with_text("Wi-Fi"));
  REQUIRE(label);
  const auto value = value_beside(tree, *label);
  REQUIRE(value);
  CHECK(tree.nodes[*value].text == "On");
  // An item without one is not given the next item's.
  CHECK_FALSE(value_beside(tree, *find_node(tree, with_text("Storage"))));
}

TEST_CASE("find: labels are texts, else descriptions, and blank ones are none") {
  const UiTree tree = two_lists();
  CHECK(all_labels(tree, with_role("text")) ==
        std::vector<std::string>{"Wi-Fi", "On", "Storage", "Storage", "47% used"});
  NodeMatcher described;
  described.description_contains = "bac";
  CHECK(all_labels(tree, described) == std::vector<std::string>{"Back"});
}

TEST_CASE("find: a list that scrolled shows something else, its neighbour does not") {
  const UiTree before = two_lists();
  test::Widget first{.class_name = "androidx.recyclerview.widget.RecyclerView", .id = "a:id/first"};
  first.children = {list_row("Wi-Fi", "On"), list_row("Storage", "")};
  test::Widget second{
      .class_name = "android.widget.ScrollView", .id = "a:id/second", .scrollable = true};
  second.children = {list_row("Storage", "48% used"), {.desc = "Back"}};
  const UiTree after = test::tree_of({{.children = {first, second}}});
  NodeMatcher list;
  list.resource_id = "a:id/first";
  const std::size_t unchanged = *find_node(before, list);
  const std::size_t changed = *first_scrollable(before);
  CHECK(shows_the_same(before, unchanged, after, unchanged));
  CHECK_FALSE(shows_the_same(before, changed, after, changed));
}

TEST_CASE("find: a matcher is described as the app describes it") {
  CHECK(describe(NodeMatcher{.resource_id = "a:id/x", .role = "button", .text_contains = "o, p"}) ==
        "NodeMatcher(resourceId=a:id/x, role=button, textContains=o, p)");
}
