#include "runtime/ui/visible.hpp"

#include <catch2/catch.hpp>

#include "unit/ui/widget.hpp"

using namespace clawperator;

namespace {

constexpr int kLeast = std::numeric_limits<int>::min();
constexpr int kMost = std::numeric_limits<int>::max();

test::Widget box(std::array<int, 4> bounds) { return {.bounds = bounds}; }

// What is seen of `node`, the last of a screen of 1080x2400, inside of these.
std::optional<Bounds> seen(std::array<int, 4> node, std::vector<test::Widget> around = {}) {
  test::Widget whole = box(node);
  for (auto outer = around.rbegin(); outer != around.rend(); ++outer) {
    outer->children = {whole};
    whole = *outer;
  }
  const UiTree tree = test::tree_of({{.children = {whole}}});
  return visible_part(tree, tree.nodes.size() - 1);
}

}  // namespace

TEST_CASE("visible part: of a node on the screen all of it, else what the screen has of it") {
  CHECK(seen({10, 20, 30, 40}) == Bounds{10, 20, 30, 40});
  CHECK(seen({-100, 2300, 30, 2600}) == Bounds{0, 2300, 30, 2400});
  CHECK(seen({1079, 2399, 1080, 2400})->centre() == Point{1079, 2399});
  for (const std::array<int, 4> outside :
       {std::array{0, 2500, 1080, 2600}, std::array{0, 2400, 1080, 2600},
        std::array{1080, 0, 2160, 2400}, std::array{-1080, 0, 0, 2400},
        std::array{0, -300, 1080, -1}, std::array{-5, -5, 0, 0}}) {
    INFO(outside[0] << "," << outside[1]);
    CHECK_FALSE(seen(outside));
  }
}

TEST_CASE("visible part: of what covers nothing there is none") {
  CHECK_FALSE(seen({5, 5, 5, 9}));
  CHECK_FALSE(seen({5, 5, 9, 5}));
  CHECK_FALSE(seen({9, 9, 5, 5}));
  CHECK_FALSE(seen({0, 0, 0, 0}));
}

TEST_CASE("visible part: rectangles of all signs and sizes") {
  const std::array numbers{kLeast, kLeast + 1, -1, 0, 1, 540, 1080, 2400, kMost - 1, kMost};
  for (const int left : numbers) {
    for (const int top : numbers) {
      for (const int right : numbers) {
        for (const int bottom : numbers) {
          const auto part = seen({left, top, right, bottom});
          const bool meets =
              left < 1080 && right > 0 && left < right && top < 2400 && bottom > 0 && top < bottom;
          REQUIRE(part.has_value() == meets);
          if (!part) continue;
          const Point at = part->centre();
          REQUIRE((at.x >= 0 && at.x < 1080 && at.y >= 0 && at.y < 2400));
          REQUIRE((at.x >= left && at.x < right && at.y >= top && at.y < bottom));
        }
      }
    }
  }
}

TEST_CASE("visible part: a pager shows the page that it is at") {
  const test::Widget pager{.bounds = {0, 300, 1080, 2000}, .scrollable = true};
  const test::Widget next = box({1080, 300, 2160, 2000});
  CHECK_FALSE(seen({1200, 400, 1400, 500}, {pager, next}));
  // A card that looks in from the right.
  CHECK(seen({900, 400, 1900, 500}, {pager}) == Bounds{900, 400, 1080, 500});
  const test::Widget narrow{.bounds = {100, 300, 700, 2000}, .scrollable = true};
  CHECK(seen({600, 400, 1000, 500}, {narrow}) == Bounds{600, 400, 700, 500});
  CHECK_FALSE(seen({700, 400, 1000, 500}, {narrow}));
  // What does not scroll does not clip, as far as a tree shows.
  CHECK(seen({700, 400, 1000, 500}, {box({100, 300, 700, 2000})}) == Bounds{700, 400, 1000, 500});
}

TEST_CASE("visible part: each of nested scrollers cuts") {
  const test::Widget list{.bounds = {0, 300, 1080, 1000}, .scrollable = true};
  const test::Widget row{.bounds = {50, 900, 900, 1400}, .scrollable = true};
  CHECK(seen({0, 950, 1080, 1300}, {list, row}) == Bounds{50, 950, 900, 1000});
  CHECK_FALSE(seen({0, 1050, 1080, 1300}, {list, row}));
  CHECK_FALSE(seen({10, 400, 20, 500}, {{.bounds = {kMost, 0, kLeast, 2400}, .scrollable = true}}));
}

TEST_CASE("visible part: where no size is known nothing negative is left all the same") {
  UiTree tree = test::tree_of({box({0, 0, 0, 0})});
  CHECK(tree.screen == ScreenSize{});
  tree.nodes[0].bounds = {-20, -20, 40, 60};
  CHECK(visible_part(tree, 0) == Bounds{0, 0, 40, 60});
  tree.nodes[0].bounds = {kLeast, kLeast, kMost, kMost};
  CHECK(visible_part(tree, 0) == Bounds{0, 0, kMost, kMost});
  tree.screen = {std::numeric_limits<std::uint32_t>::max(), 5};
  CHECK(visible_part(tree, 0) == Bounds{0, 0, kMost, 5});
}

TEST_CASE("visible part: a keyboard covers what lies below it") {
  UiTree tree = test::tree_of({{.children = {box({0, 1000, 1080, 1700})}}});
  tree.keyboard = {0, 1517, 1080, 2400};
  CHECK(visible_part(tree, 1) == Bounds{0, 1000, 1080, 1517});
  tree.keyboard = {0, 1000, 1080, 2400};
  CHECK_FALSE(visible_part(tree, 1));
  tree.keyboard = {200, 1100, 500, 1200};  // one that floats: the larger side of it is left
  CHECK(visible_part(tree, 1) == Bounds{0, 1200, 1080, 1700});
  tree.keyboard = {0, 0, 900, 2400};
  CHECK(visible_part(tree, 1) == Bounds{900, 1000, 1080, 1700});
  tree.keyboard = {kLeast, kLeast, kMost, kMost};
  CHECK_FALSE(visible_part(tree, 1));
  tree.keyboard = {kMost, kMost, kLeast, kLeast};
  CHECK(visible_part(tree, 1) == Bounds{0, 1000, 1080, 1700});
}

TEST_CASE("visible part: a keyboard's window among the others, which covers no key of its own") {
  test::Widget keys{.id = "android:id/inputArea", .bounds = {0, 1620, 1080, 2400}};
  keys.children = {box({0, 1700, 100, 1800})};
  const test::Widget app{.children = {box({0, 1600, 1080, 1700})}};
  for (const bool is_first : {true, false}) {
    const test::Widget ime{.children = {keys}};
    const UiTree tree = is_first ? test::tree_of({ime, app}) : test::tree_of({app, ime});
    const std::size_t row = is_first ? 4 : 1;
    const std::size_t key = is_first ? 2 : 4;
    CHECK(visible_part(tree, row) == Bounds{0, 1600, 1080, 1620});
    CHECK(visible_part(tree, key) == Bounds{0, 1700, 100, 1800});
  }
}
