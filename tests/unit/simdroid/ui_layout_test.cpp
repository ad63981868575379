#include <set>

#include "simdroid/ui/font.hpp"
#include "simdroid/ui/layout.hpp"
#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

TEST_CASE("layout: a column stacks, a weight takes what is left") {
  // 160 dp are 420 px.
  const UiWorld world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"id":"top","h":160},{"id":"middle","weight":1},{"id":"bottom","h":160}]})");
  CHECK(with_id(world, "com.test:id/top")->bounds == Rect{0, 0, 1080, 420});
  CHECK(with_id(world, "com.test:id/middle")->bounds == Rect{0, 420, 1080, 1980});
  CHECK(with_id(world, "com.test:id/bottom")->bounds == Rect{0, 1980, 1080, 2400});
}

TEST_CASE("layout: a row shares its width by weights and centres across") {
  const UiWorld world = world_of(R"({"flow":"row","align":"centre","h":160,"children":[
      {"id":"a","weight":1,"h":80},{"id":"b","weight":2,"h":160},{"id":"c","w":160,"h":40}]})");
  CHECK(with_id(world, "com.test:id/a")->bounds == Rect{0, 990 + 105, 220, 990 + 315});
  CHECK(with_id(world, "com.test:id/b")->bounds.left == 220);
  CHECK(with_id(world, "com.test:id/b")->bounds.right == 660);
  CHECK(with_id(world, "com.test:id/c")->bounds.width() == 420);
}

TEST_CASE("layout: padding moves children inwards") {
  const UiWorld world = world_of(
      R"({"class":"FrameLayout","h":"fill","pad":[160,16,0,0],"children":[{"id":"in","h":160}]})");
  CHECK(with_id(world, "com.test:id/in")->bounds == Rect{420, 42, 1080, 462});
}

TEST_CASE("layout: text wraps where its column ends and makes its row higher") {
  const UiWorld world = world_of(R"({"class":"LinearLayout","children":[
      {"class":"TextView","id":"one","text":"short"},
      {"class":"TextView","id":"two","text":"a text of many words that cannot possibly stand on one line of this screen"}]})");
  CHECK(with_id(world, "com.test:id/one")->bounds.height() == 48);
  CHECK(with_id(world, "com.test:id/two")->bounds.height() >= 96);
  CHECK(with_id(world, "com.test:id/two")->bounds.width() <= 1080);
}

TEST_CASE("layout: what lies outside is cut off or left out") {
  const UiWorld world = world_of(R"({"class":"ScrollView","id":"list","h":320,"children":[
      {"repeat":5,"id":"row","h":160}]})");
  const View* list = with_id(world, "com.test:id/list");
  CHECK(list->children.size() == 5);
  const UiWorld small = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"ScrollView","id":"list","h":320,"children":[{"repeat":5,"id":"row","h":200}]}]})");
  const View* cut = with_id(small, "com.test:id/list");
  REQUIRE(cut->children.size() == 2);
  CHECK(cut->children[1].bounds == Rect{0, 525, 1080, 840});
  CHECK(cut->children[1].frame == Rect{0, 525, 1080, 1050});
  CHECK(cut->scroll_max == 5 * 525 - 840);
  CHECK(cut->scrollable);
}

TEST_CASE("layout: a list that fits does not scroll") {
  const UiWorld world = world_of(R"({"class":"RecyclerView","h":"fill","children":[{"h":100}]})");
  CHECK_FALSE(world.root().scrollable);
}

TEST_CASE("layout: children never leave their parents") {
  for (const auto& [package, app] : bundled_screens()->apps()) {
    for (const auto& [name, screen] : app.screens) {
      UiWorld world;
      world.install(package);
      REQUIRE(world.open_screen(package, name));
      INFO(package << " " << name);
      const auto check = [](const auto& self, const View& view) -> bool {
        return std::all_of(view.children.begin(), view.children.end(), [&](const View& child) {
          return !child.bounds.empty() && child.bounds.clipped(view.bounds) == child.bounds &&
                 self(self, child);
        });
      };
      CHECK(check(check, world.root()));
    }
  }
}

TEST_CASE("font: breaking lines keeps every character but the spaces it breaks at") {
  const std::string text = "one two three four five six seven";
  std::string joined;
  for (const std::string& line : break_lines(text, 300, 4)) {
    CHECK(text_width(line, 4) <= 300);
    joined += (joined.empty() ? "" : " ") + line;
  }
  CHECK(joined == text);
  CHECK(break_lines("a\n\nb", 300, 4) == std::vector<std::string>{"a", "", "b"});
  CHECK(break_lines("", 300, 4) == std::vector<std::string>{""});
}

TEST_CASE("font: a word wider than its room is cut between characters, never inside one") {
  const std::string word = "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d";
  std::string joined;
  for (const std::string& line : break_lines(word, 70, 4)) {
    CHECK(line.size() % 2 == 0);
    joined += line;
  }
  CHECK(joined == word);
  CHECK(break_lines(word, 1, 4).size() == 8);
}

TEST_CASE("font: every visible character has ink of its own, inside its line's height") {
  for (const int scale : {1, 3, 4, 8, 20}) {
    std::set<std::pair<int, std::string>> pictures;
    for (char c = '!'; c <= '~'; ++c) {
      for_each_letter(std::string_view(&c, 1), {100, 100}, scale, [&](const Letter& letter) {
        INFO(c << " at " << scale);
        REQUIRE(letter.coverage != nullptr);
        CHECK(letter.place.top >= 100);
        CHECK(letter.place.bottom <= 100 + kFontUnits * scale);
        const std::string picture(letter.coverage,
                                  static_cast<std::size_t>(letter.width * letter.height));
        CHECK(picture.find_first_not_of('\0') != std::string::npos);
        pictures.emplace(letter.width, picture);
      });
    }
    CHECK(pictures.size() == (scale < 3 ? pictures.size() : '~' - '!' + 1U));
  }
}

TEST_CASE("font: text grows with its scale, beyond the sizes that are drawn, too") {
  for (int scale = 1; scale < 40; ++scale) {
    INFO(scale);
    CHECK(text_width("Settings", scale) < text_width("Settings", scale + 1));
  }
  CHECK(text_width("Settings", 16) == 2 * text_width("Settings", 8));
}
