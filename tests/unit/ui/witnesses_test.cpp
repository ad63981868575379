#include "runtime/ui/witnesses.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "runtime/ui/refs.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

Widget text(std::string label, std::string id = "") {
  return {.class_name = "android.widget.TextView",
          .id = std::move(id),
          .text = std::move(label),
          .bounds = {100, 1000, 900, 1100}};
}

Widget ok_button() {
  return {.class_name = "android.widget.Button",
          .id = "android:id/button1",
          .text = "OK",
          .bounds = {600, 1300, 900, 1400},
          .clickable = true};
}

Widget around(std::vector<Widget> children, std::string id = "") {
  return {.id = std::move(id), .bounds = {90, 900, 990, 1500}, .children = std::move(children)};
}

// As an AlertDialog has it: its texts beside a panel with its buttons.
UiTree dialog_of(std::vector<Widget> texts) {
  Widget cancel = ok_button();
  cancel.id = "android:id/button2";
  cancel.text = "Cancel";
  texts.push_back(around({cancel, ok_button()}, "com.shop:id/buttonPanel"));
  Widget background{.bounds = {0, 0, 1080, 2400}};
  return test::tree_of(
      {around({around(std::move(texts), "com.shop:id/parentPanel")}, "android:id/content"),
       background});
}

// An activity with that in its one frame.
UiTree frame_of(std::vector<Widget> children) {
  return test::tree_of({{.id = "android:id/content", .children = std::move(children)}});
}

std::size_t ok_of(const UiTree& tree) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].text == "OK") return i;
  FAIL("no OK");
  return 0;
}

Witnesses of(const UiTree& tree) { return witnesses_of(tree, ok_of(tree)); }

std::vector<std::string> labels(const Witnesses& witnesses) {
  std::vector<std::string> all;
  for (const NodeMatcher& one : witnesses.texts) all.push_back(one.text_equals.value_or("?"));
  return all;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("witnesses: what a dialog says, in the nearest node around that has an id") {
  const Witnesses found =
      of(dialog_of({text("Delete?", "com.shop:id/alertTitle"), text("a.txt goes")}));
  CHECK(labels(found) == Labels{"a.txt goes", "Delete?"});
  CHECK(found.container_id == "com.shop:id/parentPanel");
  CHECK(found.texts.at(1) ==
        NodeMatcher{.resource_id = "com.shop:id/alertTitle", .text_equals = "Delete?"});
}

TEST_CASE("witnesses: none that changes, scrolls, is typed, hidden or a part of the node") {
  Widget field = text("a field of it");
  field.class_name = "android.widget.EditText";
  Widget hidden = text("beside the screen");
  hidden.bounds = {0, 2500, 100, 2600};
  Widget list = around({text("in a list")});
  list.scrollable = true;
  Widget secret = text("a secret of it");
  secret.password = true;
  Widget button = ok_button();
  button.children = {text("inside of it")};
  const UiTree tree = frame_of({text("12:30"), text("45 %"), text("3 messages"), text(" \n"),
                                text(std::string(513, 'x')), field, hidden, list, secret, button});
  CHECK(of(tree).texts.empty());
  CHECK_FALSE(of(tree).are_contained());
  CHECK(has_most(tree, ok_of(tree), of(tree)));
}

TEST_CASE("witnesses: a number counts in a dialog, which is about it") {
  CHECK(labels(of(dialog_of({text("Pay 5 euro?")}))) == Labels{"Pay 5 euro?"});
  CHECK(labels(of(dialog_of({text("45 %")}))) == Labels{"Cancel"});
}

TEST_CASE("witnesses: what stands furthest from the node comes first, buttons only alone") {
  Widget menu = ok_button();
  menu.text = "A button with a long text";
  const UiTree tree =
      frame_of({text("Shop"), around({text("a long text beside it"), ok_button()}), menu});
  CHECK(labels(of(tree)) == Labels{"Shop", "a long text beside it"});
  CHECK(labels(of(frame_of({menu, ok_button()}))) == Labels{"A button with a long text"});
}

TEST_CASE("witnesses: a container that has a twin around such a text is none") {
  const std::string id = "com.shop:id/box";
  const UiTree inner =
      frame_of({around({text("Shop"), ok_button()}, id), around({text("Shop")}, id)});
  CHECK(of(inner).container_id == "android:id/content");
  const UiTree none = test::tree_of(
      {around({around({text("Shop"), ok_button()}, id), around({text("Shop")}, id)})});
  CHECK(of(none).container_id.empty());
  CHECK(labels(of(none)) == Labels{"Shop", "Shop"});
}

TEST_CASE("witnesses: more than half of them is most") {
  const Witnesses shown = of(dialog_of({text("Delete?"), text("a.txt goes")}));
  struct Row {
    const char* title;
    const char* message;
    bool has_most;
  };
  const auto row = GENERATE(values<Row>({{"Delete?", "a.txt goes", true},
                                         {"Delete?", "b.txt goes", false},
                                         {"Send?", "a.txt goes", false},
                                         {"Send?", "b.txt goes", false}}));
  const UiTree now = dialog_of({text(row.title), text(row.message)});
  CHECK(has_most(now, ok_of(now), shown) == row.has_most);
}

TEST_CASE("witnesses: another window of the same tree says nothing") {
  const Witnesses shown = of(dialog_of({text("Delete?")}));
  const UiTree now = test::tree_of({around({ok_button()}), around({text("Delete?")})});
  CHECK_FALSE(has_most(now, ok_of(now), shown));
}

TEST_CASE("witnesses: ten thousand twins are looked through in one go") {
  std::vector<Widget> twins(10'000, text("The same"));
  twins.push_back(ok_button());
  const UiTree tree = frame_of(std::move(twins));
  const Witnesses found = of(tree);
  CHECK(found.texts.size() == 8);
  CHECK(found.container_id == "android:id/content");
  CHECK(has_most(tree, ok_of(tree), found));
}

TEST_CASE("witnesses: rectangles of all signs") {
  struct Row {
    std::array<int, 4> bounds;
    bool counts;
  };
  constexpr int kLow = std::numeric_limits<int>::min(), kHigh = std::numeric_limits<int>::max();
  const auto row = GENERATE(values<Row>({{{-10, -10, 5, 5}, true},
                                         {{kLow, kLow, kHigh, kHigh}, true},
                                         {{kHigh, kHigh, kLow, kLow}, false},
                                         {{-20, -20, -10, -10}, false},
                                         {{100, 100, 100, 100}, false}}));
  Widget shop = text("Shop");
  shop.bounds = row.bounds;
  const UiTree tree = frame_of({shop, ok_button()});
  CHECK(of(tree).texts.empty() != row.counts);
}
