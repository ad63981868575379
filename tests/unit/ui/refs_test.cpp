#include "runtime/ui/refs.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

std::size_t node_with_text(const UiTree& tree, std::string_view text) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i)
    if (tree.nodes[i].text == text) return i;
  FAIL("no node says " << text);
  return 0;
}

}  // namespace

TEST_CASE("ref: what a snapshot prints is read back") {
  struct Row {
    std::string text, hash;
    int number;
  };
  const auto row = GENERATE(
      values<Row>({{"@1", "", 1}, {"@250", "", 250}, {"1a2b3c4d5e6f@7", "1a2b3c4d5e6f", 7}}));
  const auto ref = parse_ref(row.text);
  REQUIRE(ref);
  CHECK(*ref == ObservationRef{row.hash, row.number});
  CHECK(to_string(*ref) == row.text);
}

TEST_CASE("ref: anything else is a usage error") {
  const std::string text = GENERATE("", "@", "@0", "@-1", "7", "@7x", "@ 7", "xyz@7", "1A2B@7",
                                    "a@b@1", "@99999999999999999999");
  INFO(text);
  const auto ref = parse_ref(text);
  REQUIRE_FALSE(ref);
  CHECK(ref.error().code() == errc::usage);
}

TEST_CASE("ref: resolves only on the screen it was taken from") {
  const UiTree tree = test::tree_of(test::form_screen());
  const auto submit = resolve_ref(tree, "@7");
  REQUIRE(submit);
  CHECK(tree.nodes[*submit].resource_id == "com.example.shop:id/submit");
  CHECK(resolve_ref(tree, tree.hash + "@7") == submit);

  for (const auto& stale : {std::string("000000000000@7"), std::string("@99"), tree.hash + "@9"}) {
    INFO(stale);
    const auto node = resolve_ref(tree, stale);
    REQUIRE_FALSE(node);
    CHECK(node.error().code() == errc::stale_ref);
  }
  CHECK(resolve_ref(tree, "seven").error().code() == errc::usage);
}

TEST_CASE("matcher: fields compare as the device compares them") {
  UiNode node;
  node.resource_id = "com.app:id/ok";
  node.text = "Save Changes";
  node.description = "Saves it";
  node.role = "button";
  struct Row {
    std::string name;
    NodeMatcher matcher;
    bool holds;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"id", {.resource_id = "com.app:id/ok"}, true},
      {"id in other case", {.resource_id = "com.app:id/OK"}, false},
      {"text", {.text_equals = "Save Changes"}, true},
      {"text in other case", {.text_equals = "save changes"}, false},
      {"part of the text", {.text_equals = "Save"}, false},
      {"text contains, other case", {.text_contains = "CHANGE"}, true},
      {"text contains what it does not", {.text_contains = "Changed"}, false},
      {"description", {.description_equals = "Saves it"}, true},
      {"description contains", {.description_contains = "saves"}, true},
      {"description contains the text", {.description_contains = "Changes"}, false},
      {"role in other case", {.role = "Button"}, true},
      {"another role", {.role = "text"}, false},
      {"all at once",
       {.resource_id = "com.app:id/ok",
        .role = "button",
        .text_equals = "Save Changes",
        .text_contains = "save"},
       true},
      {"one of two wrong", {.resource_id = "com.app:id/ok", .text_equals = "x"}, false},
  }));
  INFO(row.name);
  CHECK(matches(row.matcher, node) == row.holds);
}

TEST_CASE("shown node: which nodes no matcher distinguishes from others") {
  using test::Widget;
  const std::string button = "android.widget.Button";
  const std::vector<Widget> windows = {
      {.children = {
           {.class_name = button, .id = "a:id/one", .text = "One", .clickable = true},
           {.class_name = button, .id = "a:id/row", .text = "Two", .clickable = true},
           {.class_name = button,
            .id = "a:id/row",
            .text = "Three",
            .desc = "third",
            .clickable = true},
           {.class_name = button, .id = "a:id/row", .text = "Same", .clickable = true},
           {.class_name = button, .id = "a:id/other", .text = "Same", .clickable = true},
           {.class_name = button, .id = "a:id/other", .text = "Two", .clickable = true},
           {.class_name = "android.widget.EditText", .bounds = {0, 0, 5, 5}},
           {.class_name = "android.widget.TextView", .text = "Label"},
           {.class_name = button, .text = "Label", .clickable = true},
           {.class_name = "android.view.View", .clickable = true},
           {.class_name = "android.view.View", .clickable = true},
           {.class_name = "android.widget.TextView", .text = "twin"},
           {.class_name = "android.widget.TextView", .text = "twin"},
           {.class_name = "android.widget.TextView", .text = std::string(513, 'x')},
           {.class_name = button, .text = "Choice", .clickable = true},
           {.class_name = "android.widget.RadioButton", .text = "Choice", .clickable = true},
           {.class_name = button, .text = "Choice", .clickable = true},
           {.class_name = "android.widget.RadioButton", .text = "Choice", .clickable = true},
       }}};
  const UiTree tree = test::tree_of(windows);
  struct Row {
    std::string name;
    std::size_t child;
    bool is_unique;
  };
  const auto row = GENERATE(values<Row>({
      {"an id of its own", 0, true},
      {"id and text", 1, true},
      {"a description", 2, true},
      {"id and text again", 3, true},
      {"the other one", 4, true},
      {"a text field by its role", 6, true},
      {"a label, which has no role of its own to name", 7, false},
      {"text and role", 8, true},
      {"nothing to say", 9, false},
      {"twins", 11, false},
      {"too long for a matcher", 13, false},
      {"a button beside what the device may call a button", 14, false},
  }));
  INFO(row.name);
  CHECK(shown_node(tree, tree.nodes[0].children[row.child], RefUse::press).is_unique ==
        row.is_unique);
}

TEST_CASE("shown node: its matcher fits it and no other on whole screens") {
  for (const auto& windows : {test::settings_screen(), test::form_screen()}) {
    const UiTree tree = test::tree_of(windows);
    for (const std::size_t index : tree.interesting) {
      const ShownNode shown = shown_node(tree, index, RefUse::press);
      if (!shown.is_unique) continue;
      for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        CHECK(matches(shown.matcher, tree.nodes[i]) == (i == index));
    }
  }
  const UiTree settings = test::tree_of(test::settings_screen());
  CHECK(shown_node(settings, node_with_text(settings, "Network & internet 3"), RefUse::press)
            .is_unique);
}
