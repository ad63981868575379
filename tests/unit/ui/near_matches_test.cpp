#include "runtime/ui/find.hpp"

#include <catch2/catch.hpp>

#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

Widget row(std::string text, std::string desc = {}, std::string id = {}) {
  static int top = 0;
  top += 10;
  return {.class_name = "android.widget.TextView",
          .id = std::move(id),
          .text = std::move(text),
          .desc = std::move(desc),
          .bounds = {0, top, 100, top + 10},
          .clickable = true};
}

// What the nodes say that are near, in order.
std::vector<std::string> near(std::vector<Widget> rows, const NodeMatcher& wanted,
                              std::size_t most = 5) {
  const UiTree tree = test::tree_of({{.children = std::move(rows)}});
  std::vector<std::string> said;
  for (const std::size_t node : near_matches(tree, wanted, most)) {
    const UiNode& found = tree.nodes[node];
    said.push_back(!found.text.empty()          ? found.text
                   : !found.description.empty() ? found.description
                                                : found.resource_id);
  }
  return said;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("near matches: neither case nor blanks nor punctuation make a difference", "[A4]") {
  CHECK(near({row("Wi-Fi"), row("Bluetooth")}, {.text_equals = "wifi"}) == Texts{"Wi-Fi"});
  CHECK(near({row("Sign in")}, {.text_equals = "SIGN IN "}) == Texts{"Sign in"});
}

TEST_CASE("near matches: a part is near, what is equal is nearer", "[A4]") {
  CHECK(near({row("Network & internet"), row("Internet"), row("Apps")},
             {.text_equals = "internet"}) == Texts{"Internet", "Network & internet"});
  CHECK(near({row("Save")}, {.text_equals = "Save changes"}) == Texts{"Save"});
  CHECK(near({row("a"), row("OK")}, {.text_equals = "look at a cookie"}).empty());
}

TEST_CASE("near matches: a misspelled row comes before a part of the wanted text", "[D1]") {
  CHECK(near({row("Internet"), row("Network & internet")}, {.text_equals = "Netwrok & internet"}) ==
        Texts{"Network & internet", "Internet"});
}

TEST_CASE("near matches: a hint is near", "[C10]") {
  const auto tree = parse_hierarchy(
      "<hierarchy rotation=\"0\"><node class=\"android.widget.EditText\" text=\"\" hint=\"E-mail "
      "address\" "
      "bounds=\"[0,0][9,9]\" /></hierarchy>");
  REQUIRE(tree);
  CHECK(near_matches(*tree, {.text_equals = "email"}, 5) == std::vector<std::size_t>{0});
}

TEST_CASE("near matches: what is wanted as a text may stand as a description or an id", "[A4]") {
  CHECK(near({row("", "Search settings"), row("Apps")}, {.text_equals = "Search"}) ==
        Texts{"Search settings"});
  CHECK(near({row("", "", "com.app:id/name_field")}, {.text_equals = "Name field"}) ==
        Texts{"com.app:id/name_field"});
  CHECK(near({row("", "", "com.app:id/name_field")}, {.resource_id = "other.app:id/nameField"}) ==
        Texts{"com.app:id/name_field"});
}

TEST_CASE("near matches: letters beyond ASCII count, and what says nothing is near nothing",
          "[A4]") {
  CHECK(near({row("Größe"), row("Farbe")}, {.text_contains = "größe"}) == Texts{"Größe"});
  CHECK(near({row("..."), row("Apps")}, {.text_equals = "!!!"}).empty());
  CHECK(near({row("Apps")}, {.role = "button"}).empty());
}

TEST_CASE("near matches: never more than asked for", "[A4]") {
  CHECK(near({row("App 1"), row("App 2"), row("App 3")}, {.text_equals = "app"}, 2) ==
        Texts{"App 1", "App 2"});
}
