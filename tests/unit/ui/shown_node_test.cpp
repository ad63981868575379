#include <catch2/catch.hpp>

#include "runtime/ui/errc.hpp"
#include "runtime/ui/refs.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

constexpr const char* kButton = "android.widget.Button";
constexpr const char* kField = "android.widget.EditText";
constexpr const char* kShop = "com.shop";

Widget of_shop(Widget widget) {
  widget.package = kShop;
  return widget;
}

UiTree window_of(std::vector<Widget> children, const std::string& package = kShop) {
  for (Widget& child : children) child.package = package;
  return test::tree_of(
      {{.id = package + ":id/root", .package = package, .children = std::move(children)}});
}

std::size_t saying(const UiTree& tree, std::string_view text) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].text == text) return i;
  FAIL("no node says " << text);
  return 0;
}

}  // namespace

TEST_CASE("shown node: all that it says, and what binds it to its app") {
  struct Row {
    std::string name;
    Widget widget;
    RefUse use;
    NodeMatcher matcher;
    std::string ancestor;
  };
  const std::string around = "com.shop:id/root";
  const auto row = GENERATE_COPY(values<Row>({
      {"an id of its app's",
       {.class_name = kButton, .id = "com.shop:id/buy", .text = "Buy", .desc = "Buys it"},
       RefUse::press,
       {.resource_id = "com.shop:id/buy", .text_equals = "Buy", .description_equals = "Buys it"},
       ""},
      {"an id that all apps have",
       {.class_name = kButton, .id = "android:id/button1", .text = "Allow"},
       RefUse::press,
       {.resource_id = "android:id/button1", .text_equals = "Allow"},
       around},
      {"an id that begins like the app's",
       {.class_name = kButton, .id = "com.shop.plus:id/x", .text = "Allow"},
       RefUse::press,
       {.resource_id = "com.shop.plus:id/x", .text_equals = "Allow"},
       around},
      {"no id",
       {.class_name = kButton, .desc = "Navigate up"},
       RefUse::press,
       {.description_equals = "Navigate up"},
       around},
      {"a text that is wanted may have changed",
       {.id = "com.shop:id/price", .text = "3 €"},
       RefUse::text,
       {.resource_id = "com.shop:id/price"},
       ""},
      {"but not where it alone names the node",
       {.text = "3 €"},
       RefUse::text,
       {.text_equals = "3 €"},
       around},
      {"what is typed into a field changes",
       {.class_name = kField, .id = "com.shop:id/name", .text = "Ada"},
       RefUse::press,
       {.resource_id = "com.shop:id/name"},
       ""},
      {"a text of blanks is none",
       {.id = "com.shop:id/gap", .text = " \n", .desc = "\t"},
       RefUse::press,
       {.resource_id = "com.shop:id/gap"},
       ""},
      {"a text that no matcher takes",
       {.id = "com.shop:id/long", .text = std::string(513, 'x')},
       RefUse::press,
       {.resource_id = "com.shop:id/long"},
       ""},
  }));
  INFO(row.name);
  Widget wanted = row.widget;
  wanted.clickable = true;
  const UiTree tree = window_of({wanted, {.class_name = kButton, .text = "Other"}});
  const ShownNode shown = shown_node(tree, 1, row.use);
  CHECK(shown.matcher == row.matcher);
  CHECK(shown.is_unique);
  CHECK(shown.ancestor_id == row.ancestor);
  CHECK(shown.is_bound_to_app());
  CHECK(shown.app == kShop);
  CHECK(shown.front == kShop);
  CHECK(shown.ref == tree.hash + "@1");
  CHECK(find_shown(tree, shown) == std::size_t{1});
}

TEST_CASE("shown node: a role where it takes one, and nothing without an id of the app") {
  const UiTree tree = test::tree_of(
      {{.package = kShop,
        .children = {of_shop({.class_name = kButton, .text = "Save", .clickable = true}),
                     of_shop({.class_name = "android.view.View", .text = "Save"})}}});
  const ShownNode shown = shown_node(tree, 1, RefUse::press);
  CHECK(shown.matcher == NodeMatcher{.role = "button", .text_equals = "Save"});
  CHECK_FALSE(shown.is_bound_to_app());
}

TEST_CASE("shown node: an empty field without an id is known by its hint") {
  const auto form = [](const std::string& first) {
    const auto field = [](const std::string& text, const std::string& hint, const char* bounds) {
      return "<node index=\"0\" text=\"" + text + "\" hint=\"" + hint + "\" class=\"" + kField +
             "\" package=\"" + kShop + "\" clickable=\"true\" bounds=\"" + bounds + "\" />";
    };
    auto tree =
        parse_hierarchy("<hierarchy rotation=\"0\">" + field(first, "First name", "[0,0][900,90]") +
                        field("Last name", "Last name", "[0,100][900,190]") + "</hierarchy>");
    REQUIRE(tree);
    return *std::move(tree);
  };
  const UiTree empty = form("First name");
  const ShownNode shown = shown_node(empty, 0, RefUse::press);
  CHECK(shown.is_unique);
  CHECK(shown.matcher == NodeMatcher{.text_equals = "First name"});
  CHECK(find_shown(empty, shown) == std::size_t{0});
  CHECK(find_shown(form("Ann"), shown) == std::size_t{0});
  CHECK(shown_node(form("Ann"), 0, RefUse::press).matcher == NodeMatcher{.text_equals = "Ann"});
}

TEST_CASE("shown node: on a later screen it is that node, or none") {
  const Widget allow{.class_name = kButton,
                     .id = "android:id/button1",
                     .text = "Allow",
                     .bounds = {0, 100, 500, 200},
                     .clickable = true};
  const Widget other{.class_name = kButton, .text = "Other", .bounds = {0, 300, 500, 400}};
  const ShownNode shown = shown_node(window_of({allow, other}), 1, RefUse::press);

  Widget moved = allow;
  moved.bounds = {0, 500, 500, 600};
  const UiTree after = window_of({other, moved});
  CHECK(find_shown(after, shown) == saying(after, "Allow"));

  Widget renamed = allow;
  renamed.text = "Don't allow";
  Widget elsewhere = allow;
  elsewhere.class_name = "android.view.View";
  const auto why = [&](const UiTree& now) {
    const auto found = find_shown(now, shown);
    return found ? std::string("found") : std::string(found.error());
  };
  CHECK(why(window_of({allow, other}, "com.rival")) == kOtherApp);
  CHECK(why(window_of({other})) == "its node is not there any more");
  CHECK(why(window_of({renamed, other})) == "its node is not there any more");
  CHECK(why(window_of({elsewhere, other})) == "its node is not there any more");
  CHECK(why(window_of({allow, moved})) == "several nodes are like its node now");
  CHECK(why(UiTree{}) == kOtherApp);

  // A window of another app above one that is larger.
  UiTree both = window_of({other, other, other});
  both.nodes.push_back(window_of({allow}, "com.rival").nodes.at(1));
  CHECK(why(both) == "its node is not there any more");
}

TEST_CASE("shown node: of twins the one at its place, with the same inside") {
  const auto row_at = [](int top, const char* label) {
    return Widget{.class_name = "android.view.ViewGroup",
                  .bounds = {0, top, 1080, top + 100},
                  .clickable = true,
                  .children = {of_shop({.text = label, .bounds = {0, top, 500, top + 50}})}};
  };
  const UiTree tree = window_of({row_at(0, "A"), row_at(100, "B")});
  const ShownNode shown = shown_node(tree, 3, RefUse::press);
  CHECK_FALSE(shown.is_unique);
  CHECK(find_shown(tree, shown) == std::size_t{3});
  CHECK(find_shown(window_of({row_at(100, "B")}), shown) == std::size_t{1});
  CHECK_FALSE(find_shown(window_of({row_at(0, "B"), row_at(100, "A")}), shown));
  CHECK_FALSE(find_shown(window_of({row_at(0, "A"), row_at(101, "B")}), shown));
}

TEST_CASE("shown node: ten thousand twins are looked through in one go") {
  std::vector<Widget> twins;
  for (int i = 0; i < 10'000; ++i) {
    twins.push_back(
        {.class_name = kButton, .text = "Same", .bounds = {0, i, 10, i + 1}, .clickable = true});
  }
  const UiTree tree = window_of(std::move(twins));
  const ShownNode shown = shown_node(tree, 5001, RefUse::press);
  CHECK_FALSE(shown.is_unique);
  CHECK(find_shown(tree, shown) == std::size_t{5001});
}

TEST_CASE("shown node: which phones have shown a screen") {
  const std::string by = showing("S1", "usb:1-2") + showing("S2", "S2") + showing("S3", "usb:1-4");
  struct Row {
    const char* name;
    const char* serial;
    const char* own;
    bool has;
  };
  const auto row = GENERATE(values<Row>({{"itself", "S1", "usb:1-2", true},
                                         {"by a way without a place", "S1", "S1", true},
                                         {"its place was not known then", "S2", "usb:9-9", true},
                                         {"its twin", "S1", "usb:1-3", false},
                                         {"another phone at a place", "S9", "usb:1-2", false},
                                         {"none", "", "", false}}));
  INFO(row.name);
  CHECK(has_shown(by, row.serial, row.own) == row.has);
  CHECK_FALSE(has_shown("", row.serial, row.own));
}

TEST_CASE("shown node: what is stale says where it was shown and what is there") {
  ShownNode shown;
  shown.ref = "1a2b3c4d5e6f@7";
  shown.front = "com.shop";
  const Error error = stale_ref(shown, kOtherApp, "com.rival");
  CHECK(error.code() == errc::stale_ref);
  CHECK(error.message().starts_with("ref 1a2b3c4d5e6f@7 is stale: another app is in front."));
  CHECK(error.members() ==
        R"({"details":{"ref":"1a2b3c4d5e6f@7","shownIn":"com.shop","front":"com.rival"}})");
}

TEST_CASE("selectors of a node: unique ones first, then those that count") {
  const UiTree tree = window_of({{.class_name = kButton, .id = "android:id/title", .text = "Wi-Fi"},
                                 {.class_name = kButton, .id = "android:id/title", .text = "VPN"},
                                 {.class_name = kButton, .id = "android:id/title", .text = "VPN"},
                                 {.class_name = kButton, .id = "com.shop:id/buy", .text = "Buy"}});
  const auto first = [&](std::string_view text) { return selectors_of(tree, saying(tree, text)); };
  CHECK(first("Wi-Fi").front().matcher == NodeMatcher{.text_equals = "Wi-Fi"});
  CHECK(first("Wi-Fi").back().matches == 3);
  CHECK(first("Buy").front().matcher == NodeMatcher{.resource_id = "com.shop:id/buy"});
  const auto second = selectors_of(tree, saying(tree, "VPN") + 1);
  REQUIRE(second.size() > 2);
  CHECK(second[0].matcher == NodeMatcher{.resource_id = "android:id/title"});
  CHECK(second[0].nth == 3);
  CHECK(second[1].matcher == NodeMatcher{.text_equals = "VPN"});
  CHECK(second[1].matches == 2);
  CHECK(second[1].nth == 2);
}

TEST_CASE("selectors of a node: none without a field that can name it") {
  const UiTree tree = window_of({{.class_name = "android.widget.FrameLayout"}});
  CHECK(selectors_of(tree, 1).empty());
}
