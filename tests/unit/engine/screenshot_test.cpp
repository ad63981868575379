#include "runtime/engine/screenshot.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/hierarchy.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;

TEST_CASE("marks: every node that can be seen, by number, or those that can be acted on") {
  const UiTree tree = *parse_hierarchy(test::to_xml(
      {{.children = {
            {.text = "a", .bounds = {1, 2, 3, 4}},
            {.text = "none", .bounds = {5, 5, 5, 9}},
            {.text = "b", .bounds = {-1, 0, 7, 8}, .clickable = true},
            {.text = "c", .bounds = {0, 0, 2, 2}, .clickable = true, .enabled = false}}}}));
  CHECK(marks_of(tree, Marked::all) ==
        std::vector<Mark>{{1, 1, 2, 3, 4}, {3, 0, 0, 7, 8}, {4, 0, 0, 2, 2}});
  CHECK(marks_of(tree, Marked::actionable) == std::vector<Mark>{{3, 0, 0, 7, 8}});
}
