#include "runtime/engine/shell_backend/steps.hpp"

#include <catch2/catch.hpp>

#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

Widget field(std::string id, std::string text = "", bool focused = false) {
  return {.class_name = "android.widget.EditText",
          .id = std::move(id),
          .text = std::move(text),
          .focused = focused};
}

UiTree screen_with(std::vector<Widget> widgets) {
  return test::tree_of({{.children = std::move(widgets)}});
}

}  // namespace

TEST_CASE("point of: the centre of what can be seen, or why there is none") {
  const Widget pager{.bounds = {0, 0, 1080, 1000},
                     .scrollable = true,
                     .children = {{.bounds = {900, 100, 1900, 200}},
                                  {.bounds = {1200, 100, 1300, 200}},
                                  {.bounds = {0, 0, 10, 10}, .enabled = false},
                                  {.bounds = {5, 5, 5, 5}}}};
  const UiTree tree = screen_with({pager});
  CHECK(point_of(tree, 2) == Point{990, 150});
  REQUIRE_FALSE(point_of(tree, 3));
  CHECK(point_of(tree, 3).error().code == "OFF_SCREEN");
  REQUIRE_FALSE(point_of(tree, 4));
  CHECK(point_of(tree, 4).error().code.empty());
  CHECK(point_of(tree, 4).error().why == "Click on matching UI node failed: it is disabled");
  CHECK(point_of(tree, 5).error().code == "OFF_SCREEN");
}

TEST_CASE("focus: the field that was tapped has it, whatever it shows and wherever it is now") {
  const UiTree before = screen_with({field("a:id/name", "Name"), field("a:id/city")});
  const FieldMark name = mark_of(before, 1);
  CHECK_FALSE(has_focus(before, name));
  Widget moved = field("a:id/name", "", true);
  moved.bounds = {0, 100, 1080, 200};
  CHECK(has_focus(screen_with({moved, field("a:id/city")}), name));
  CHECK_FALSE(has_focus(screen_with({field("a:id/name"), field("a:id/city", "", true)}), name));
  CHECK_FALSE(has_focus(screen_with({}), name));
  // Another app's of the same name.
  Widget foreign = moved;
  foreign.package = "com.other";
  CHECK_FALSE(has_focus(screen_with({foreign}), name));
}

TEST_CASE("focus: of fields with one name the one that was tapped") {
  const auto rows = [](int focused) {
    std::vector<Widget> widgets;
    for (int i = 0; i < 3; ++i) widgets.push_back(field("a:id/digit", "", i == focused));
    return screen_with(std::move(widgets));
  };
  const FieldMark second = mark_of(rows(-1), 2);
  CHECK(has_focus(rows(1), second));
  CHECK_FALSE(has_focus(rows(0), second));
  CHECK_FALSE(has_focus(rows(2), second));
}

TEST_CASE("focus: a field without a name is known by its text alone") {
  const FieldMark mark = mark_of(screen_with({field("", "Search")}), 1);
  CHECK(has_focus(screen_with({field("", "Search", true)}), mark));
  CHECK_FALSE(has_focus(screen_with({field("", "Password", true)}), mark));
}

TEST_CASE("container: the first that can be seen, where none is named") {
  const Widget drawer{.id = "a:id/drawer", .bounds = {-800, 0, 0, 2400}, .scrollable = true};
  const Widget list{.id = "a:id/list", .bounds = {0, 300, 1080, 2400}, .scrollable = true};
  const UiTree tree = screen_with({drawer, list});
  Scroll scroll;
  CHECK(container_of(scroll, tree) == std::size_t{2});
  scroll.container = Selector{{.resource_id = "a:id/drawer"}};
  CHECK(container_of(scroll, tree) == std::size_t{1});
  CHECK(container_of({}, screen_with({drawer})).error() == "CONTAINER_NOT_FOUND");
}
