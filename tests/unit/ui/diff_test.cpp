#include "runtime/ui/diff.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/ui/hierarchy.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

Widget label(std::string text, int top, std::string id = {}) {
  return {.class_name = "android.widget.TextView",
          .id = std::move(id),
          .text = std::move(text),
          .bounds = {0, top, 100, top + 10}};
}

UiTree screen_of(std::vector<Widget> children) {
  return test::tree_of({{.children = std::move(children)}});
}

// The diff's lines without its header.
std::string body(const UiTree& before, const UiTree& after) {
  const std::string text = diff_text(before, after);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("diff: equal screens are unchanged") {
  const UiTree tree = test::tree_of(test::settings_screen());
  CHECK(diff_text(tree, tree) == "unchanged");
  CHECK(diff_json(tree, tree) ==
        R"({"since":")" + tree.hash + R"(","hash":")" + tree.hash + R"(","unchanged":true})");
  CHECK(compare(tree, tree).empty());
}

TEST_CASE("diff: a title that its toolbar has as well has no line of its own") {
  const auto bar = [](const std::string& name) {
    return test::tree_of({{.desc = name, .children = {label(name, 0)}}, label("x", 50)});
  };
  CHECK(body(bar("a"), bar("b")) == "~ @1 desc \"b\" was: \"a\"\n");
  const UiTree alone = screen_of({label("x", 50)});
  CHECK_THAT(body(alone, bar("a")), Catch::EndsWith("+ @1 desc \"a\"\n= @1 now @3\n"));
  CHECK_THAT(body(bar("a"), alone), Catch::EndsWith("- @1 \"a\"\n= @3 now @1\n"));
}

TEST_CASE("diff: a text that comes to be left out, or is no more, has its line") {
  const auto bar = [](const std::string& name, const std::string& text) {
    return test::tree_of({{.desc = name, .children = {label(text, 0)}}});
  };
  CHECK(body(bar("a", "x"), bar("a", "a")) == "- @2 \"x\"\n");
  CHECK(body(bar("a", "a"), bar("b", "a")) == "+ @2 \"a\"\n~ @1 desc \"b\" was: \"a\"\n");
}

TEST_CASE("diff: says which screens it is between") {
  const UiTree before = screen_of({label("a", 0)});
  const UiTree after = screen_of({label("b", 0)});
  CHECK(diff_text(before, after) ==
        "since " + before.hash + " hash " + after.hash + "\n~ @1 \"b\" was: \"a\"\n");
  UiTree turned = after;
  turned.rotation = 1;
  CHECK(diff_text(before, turned) == "since " + before.hash +
                                         "\ncom.android.settings 1080x2400 rotation 1 hash " +
                                         after.hash + "\n~ @1 \"b\" was: \"a\"\n");
}

TEST_CASE("diff: added, removed, changed and renumbered nodes each have their line") {
  struct Row {
    std::string name;
    std::vector<Widget> before, after;
    std::string lines;
  };
  Widget off = {.class_name = "android.widget.Switch",
                .id = "a:id/s",
                .bounds = {0, 0, 10, 10},
                .clickable = true,
                .checkable = true};
  Widget on = off;
  on.checked = true;
  Widget plain = label("x", 0);
  Widget described = plain;
  described.desc = "new";
  const auto row = GENERATE_COPY(values<Row>({
      {"added at the end", {label("a", 0)}, {label("a", 0), label("b", 10)}, "+ @2 \"b\"\n"},
      {"removed from the end", {label("a", 0), label("b", 10)}, {label("a", 0)}, "- @2 \"b\"\n"},
      {"added in front, the rest stays where it was",
       {label("b", 10), label("c", 20)},
       {label("a", 0), label("b", 10), label("c", 20)},
       "+ @1 \"a\"\n= @1-@2 now @2-@3\n"},
      {"a switch turned on", {off}, {on}, "~ @1 switch #s on was: off\n"},
      {"a new text in the same place",
       {label("Off", 0, "a:id/v")},
       {label("On", 0, "a:id/v")},
       "~ @1 \"On\" #v was: \"Off\"\n"},
      {"a new description", {plain}, {described}, "~ @1 \"x\" desc \"new\"\n"},
      {"moved", {label("a", 0)}, {label("a", 30)}, ""},
      {"another id in the same place is another node",
       {label("a", 0, "x:id/1")},
       {label("b", 0, "x:id/2")},
       "- @1 \"a\"\n+ @1 \"b\" #2\n"},
      {"everything gone", {label("a", 0)}, {}, "- @1 \"a\"\n"},
  }));
  INFO(row.name);
  CHECK(body(screen_of(row.before), screen_of(row.after)) == row.lines);
}

TEST_CASE("diff: a node is followed by what it says when the list around it moves") {
  const UiTree before = screen_of({label("a", 0), label("b", 10), label("c", 20)});
  const UiTree after = screen_of({label("b", 0), label("c", 10), label("d", 20)});
  CHECK(body(before, after) ==
        "- @1 \"a\"\n"
        "+ @3 \"d\"\n"
        "= @2-@3 now @1-@2\n");
}

TEST_CASE("diff: a change that no line would show leaves only the header") {
  std::vector<Widget> moved = {label("a", 0)};
  const UiTree before = test::tree_of({{.children = moved}});
  const UiTree after =
      test::tree_of({{.bounds = {0, 0, 1080, 2400}, .selected = true, .children = moved}});
  CHECK(before.hash != after.hash);
  CHECK(body(before, after).empty());
  CHECK(compare(before, after).empty());
}

namespace {

Widget item(const std::string& title, const std::string& summary, int top) {
  return {.bounds = {0, top, 1080, top + 100},
          .clickable = true,
          .children = {label(title, top, "a:id/title"), label(summary, top + 20, "a:id/summary")}};
}

UiTree list_of(std::vector<Widget> items) {
  return screen_of({{.id = "a:id/list", .scrollable = true, .children = std::move(items)}});
}

}  // namespace

TEST_CASE("diff: rows of a list that moved are the same rows") {
  const UiTree before = list_of({item("a", "1", 0), item("b", "2", 100), item("c", "3", 200)});
  const UiTree after = list_of({item("b", "2", 0), item("c", "3", 100), item("d", "4", 200)});
  CHECK(body(before, after) ==
        "- @2 \"a\"\n"
        "+ @8 \"d\" \"4\" click\n"
        "= @5-@10 now @2-@7\n");
}

TEST_CASE("diff: a row with another summary is the same row") {
  const UiTree before = list_of({item("a", "off", 0), item("b", "2", 100)});
  const UiTree after = list_of({item("a", "on", 0), item("b", "2", 100)});
  CHECK(body(before, after) == "~ @2 \"a\" \"on\" click was: \"off\"\n");
}

namespace {

Widget button(const std::string& text, int top) {
  return {.class_name = "android.widget.Button",
          .text = text,
          .bounds = {0, top, 100, top + 10},
          .clickable = true};
}

// A list item that is not tapped itself, with a button that looks like that of each other item.
Widget deletable(const std::string& title, int top, bool is_button_first = false) {
  Widget item{.bounds = {0, top, 1080, top + 100},
              .children = {label(title, top), button("Delete", top)}};
  if (is_button_first) std::swap(item.children[0], item.children[1]);
  return item;
}

}  // namespace

TEST_CASE("diff: a button stays with its item when an item before it goes") {
  const bool is_button_first = GENERATE(false, true);
  std::vector<Widget> three, two;
  for (const char* title : {"a", "b", "c"})
    three.push_back(deletable(title, 100 * static_cast<int>(three.size()), is_button_first));
  for (const char* title : {"b", "c"})
    two.push_back(deletable(title, 100 * static_cast<int>(two.size()), is_button_first));
  const bool scrolls = GENERATE(false, true);
  const UiTree before = scrolls ? list_of(three) : screen_of(three);
  const UiTree after = scrolls ? list_of(two) : screen_of(two);
  const int first = scrolls ? 2 : 1;  // the list itself has a ref
  const auto ref = [&](int at) { return "@" + std::to_string(first + at); };
  const std::string a = "- " + ref(is_button_first ? 1 : 0) + " \"a\"\n";
  const std::string its = "- " + ref(is_button_first ? 0 : 1) + " \"Delete\"\n";
  CHECK(body(before, after) == (is_button_first ? its + a : a + its) + "= " + ref(2) + "-" +
                                   ref(5) + " now " + ref(0) + "-" + ref(3) + "\n");
  const TreeDiff nodes = compare(before, after);
  CHECK(nodes.removed.size() == 2);
  CHECK(nodes.added.empty());
}

TEST_CASE("diff: of equal buttons whose items are others, none is the same") {
  const UiTree before = list_of({deletable("a", 0), deletable("b", 100)});
  const UiTree after = list_of({deletable("c", 0), deletable("b", 100), deletable("d", 200)});
  CHECK(body(before, after) ==
        "- @2 \"a\"\n- @3 \"Delete\"\n"
        "+ @2 \"c\"\n+ @3 button \"Delete\"\n+ @6 \"d\"\n+ @7 button \"Delete\"\n");
}

TEST_CASE("diff: equal buttons between the same rows are the same") {
  const auto bar = [](const std::string& title) {
    return screen_of({label(title, 0), label("top", 20), button("", 30), button("", 40),
                      button("", 50), label("end", 60)});
  };
  CHECK(body(bar("a"), bar("b")) == "~ @1 \"b\" was: \"a\"\n");
}

TEST_CASE("diff: a control that got another ref in the same row is named") {
  const auto row = [](std::vector<Widget> parts) {
    return list_of(
        {{.bounds = {0, 0, 1080, 100}, .clickable = true, .children = std::move(parts)}});
  };
  const Widget control{.class_name = "android.widget.Switch",
                       .bounds = {900, 0, 1000, 50},
                       .clickable = true,
                       .checkable = true};
  const Widget text = label("Wi-Fi", 0);
  CHECK(body(row({text, control}), row({control, text})) == "= @4 now @3\n");
  CHECK(body(row({text, control}), row({text, label("on", 0), control}))
            .starts_with("~ @2 \"Wi-Fi\" \"on\" click; @5 switch"));
}

TEST_CASE("diff: an id that comes a second time does not change the first row") {
  const UiTree before = screen_of({label("a", 0, "x:id/t")});
  const UiTree after = screen_of({label("a", 0, "x:id/t"), label("b", 10, "x:id/t")});
  CHECK(body(before, after) == "+ @2 \"b\"\n");
}

TEST_CASE("diff: the JSON carries the same facts") {
  const UiTree before = screen_of({label("gone", 0, "x:id/g"), label("b", 10), label("Off", 20)});
  const UiTree after = screen_of({label("b", 10), label("On", 20), label("new", 30, "x:id/n")});
  const auto json = nlohmann::json::parse(diff_json(before, after), nullptr, false);
  REQUIRE(json.is_object());
  CHECK(json["since"] == before.hash);
  CHECK(json["hash"] == after.hash);
  CHECK(json["unchanged"] == false);
  REQUIRE(json["added"].size() == 2);  // "On" stands where no label without id stood
  CHECK(json["added"][0]["text"] == "On");
  CHECK(json["added"][1]["ref"] == "@3");
  REQUIRE(json["removed"].size() == 2);
  CHECK_FALSE(json["removed"][0].contains("ref"));
  CHECK(json["removed"][0]["text"] == "gone");
  CHECK(json["changed"].empty());
  CHECK(json["refs"] == nlohmann::json::parse(R"([{"from":"@2","to":"@1","count":1}])"));
}

TEST_CASE("diff: small next to the screen it describes") {
  auto screen = test::settings_screen(12);
  const UiTree before = test::tree_of(screen);
  screen[0].children[0].children[0].children[1].children[5].children[1].children[1].text =
      "Changed";
  const UiTree after = test::tree_of(screen);
  CHECK(body(before, after).starts_with("~ @"));
  CHECK(diff_text(before, after).size() < 250);
}
