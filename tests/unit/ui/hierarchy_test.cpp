#include "runtime/ui/hierarchy.hpp"

#include <catch2/catch.hpp>

#include "runtime/ui/errc.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

const std::string kHead = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>";

std::string screen(const std::string& nodes) {
  return kHead + "\n<hierarchy rotation=\"0\">\n" + nodes + "</hierarchy>";
}

UiTree parsed(const std::string& xml) {
  auto tree = parse_hierarchy(xml);
  INFO((tree ? "" : tree.error().message()));
  REQUIRE(tree);
  return *std::move(tree);
}

}  // namespace

TEST_CASE("hierarchy: an empty field reads as empty and not as its hint", "[C10]") {
  const auto node_of = [](const std::string& text, const std::string& class_name) {
    const UiTree tree = parsed(
        "<hierarchy rotation=\"0\"><node index=\"0\" text=\"" + text + "\" class=\"" + class_name +
        "\" bounds=\"[0,0][9,9]\" drawing-order=\"1\" hint=\"Email\" /></hierarchy>");
    return tree.nodes.at(0);
  };
  constexpr const char* kField = "android.widget.EditText";
  CHECK(node_of("Email", kField).text.empty());
  CHECK(node_of("", kField).hint == "Email");
  CHECK(node_of("a@b.c", kField).text == "a@b.c");
  CHECK(node_of("Email", "android.widget.TextView").text == "Email");
  CHECK(describe(node_of("", kField)) == "@1 textfield hint \"Email\"");
  CHECK(matches({.text_equals = "Email"}, node_of("", kField)));
  CHECK(matches({.text_contains = "mail"}, node_of("a@b.c", kField)));
  CHECK_FALSE(matches({.text_equals = "Email!"}, node_of("", kField)));
  CHECK(label_of(node_of("Email", kField)).empty());
}

TEST_CASE("hierarchy: every attribute of a node arrives in its field") {
  const UiTree tree = parsed(
      kHead +
      "<hierarchy rotation=\"1\">\n"
      "  <node index=\"4\" text=\"Wi-Fi\" resource-id=\"android:id/title\" "
      "class=\"android.widget.Switch\" package=\"com.android.settings\" content-desc=\"Wireless\" "
      "checkable=\"true\" checked=\"true\" clickable=\"true\" enabled=\"false\" focusable=\"true\" "
      "focused=\"true\" scrollable=\"true\" long-clickable=\"true\" password=\"true\" "
      "selected=\"true\" bounds=\"[10,20][110,220]\" />\n</hierarchy>");
  CHECK(tree.rotation == 1);
  REQUIRE(tree.nodes.size() == 1);
  const UiNode& node = tree.nodes[0];
  CHECK(node.index == 4);
  CHECK(node.text == "Wi-Fi");
  CHECK(node.resource_id == "android:id/title");
  CHECK(node.class_name == "android.widget.Switch");
  CHECK(node.package == "com.android.settings");
  CHECK(node.description == "Wireless");
  CHECK(node.role == "switch");
  CHECK(node.bounds == Bounds{10, 20, 110, 220});
  CHECK(node.bounds.centre() == Point{60, 120});
  CHECK(node.parent == kNoNode);
  CHECK(node.flags == NodeFlags{.checkable = true,
                                .checked = true,
                                .clickable = true,
                                .enabled = false,
                                .focusable = true,
                                .focused = true,
                                .scrollable = true,
                                .long_clickable = true,
                                .password = true,
                                .selected = true,
                                .editable = false});
}

TEST_CASE("hierarchy: children keep the document's order and know their parent") {
  const UiTree tree = parsed(
      screen("<node text=\"a\"><node text=\"b\"><node text=\"c\"/></node><node text=\"d\"/></node>"
             "<node text=\"e\"/>"));
  std::string order;
  for (const auto& node : tree.nodes) order += node.text;
  CHECK(order == "abcde");
  CHECK(tree.nodes[0].children == std::vector<std::size_t>{1, 3});
  CHECK(tree.nodes[1].children == std::vector<std::size_t>{2});
  CHECK(tree.nodes[2].parent == 1);
  CHECK(tree.nodes[2].depth == 2);
  CHECK(tree.nodes[4].parent == kNoNode);
}

TEST_CASE("hierarchy: attribute values survive whatever they hold") {
  struct Row {
    std::string name, written, value;
  };
  const auto row = GENERATE(values<Row>({
      {"a line break", "first\nsecond", "first\nsecond"},
      {"a line that begins with [", "first\n[TaskScope] second\n[", "first\n[TaskScope] second\n["},
      {"an indented line", "a\n    b", "a\n    b"},
      {"an escaped line break", "a&#10;b", "a\nb"},
      {"an emoji", "\xF0\x9F\x98\x80 ok", "\xF0\x9F\x98\x80 ok"},
      {"an emoji as a number", "&#128512;", "\xF0\x9F\x98\x80"},
      {"escaped markup", "&lt;node&gt; &amp;amp; &quot;x&quot;", "<node> &amp; \"x\""},
      {"what looks like the end", "&lt;/hierarchy&gt;", "</hierarchy>"},
      {"a bare greater-than", "a > b", "a > b"},
      {"tabs", "a\tb", "a\tb"},
      {"right-to-left text", "\u05E9\u05DC\u05D5\u05DD", "\u05E9\u05DC\u05D5\u05DD"},
      {"bytes that are no UTF-8", "a\xC3(b\xFF", "a\xEF\xBF\xBD(b\xEF\xBF\xBD"},
      {"half a surrogate pair", "&#xD83D;", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
  }));
  INFO(row.name);
  const UiTree tree = parsed(screen("<node text=\"" + row.written + "\" />"));
  CHECK(tree.nodes.at(0).text == row.value);
}

TEST_CASE("hierarchy: what is not one whole hierarchy is refused") {
  struct Row {
    std::string name, xml;
  };
  const std::string good = screen("<node text=\"x\" />");
  const auto row = GENERATE_COPY(values<Row>({
      {"nothing", ""},
      {"white space", " \n "},
      {"an error text", "ERROR: could not get idle state."},
      {"only the declaration", kHead},
      {"a cut declaration", "<?xml version='1.0"},
      {"cut before the closing tag", good.substr(0, good.size() - 12)},
      {"cut inside the closing tag", good.substr(0, good.size() - 1)},
      {"cut inside a value", good.substr(0, good.find("x\"") + 1)},
      {"garbage behind it", good + "garbage"},
      {"a second hierarchy behind it", good + "<hierarchy></hierarchy>"},
      {"garbage before it", "garbage" + good},
      {"garbage between declaration and root", kHead + "oops<hierarchy></hierarchy>"},
      {"a node left open", screen("<node text=\"x\">")},
      {"crossed tags", screen("<node><b></node></b>")},
      {"another root", kHead + "<nodes></nodes>"},
      {"a root with a longer name", "<hierarchyx></hierarchyx>"},
      {"a zero byte", screen(std::string("<node text=\"a\0b\" />", 20))},
      {"an attribute without quotes", screen("<node text=x />")},
  }));
  INFO(row.name);
  const auto tree = parse_hierarchy(row.xml);
  REQUIRE_FALSE(tree);
  CHECK(tree.error().code() == errc::snapshot_extraction_failed);
}

TEST_CASE("hierarchy: every cut of a document is refused") {
  const std::string xml = test::to_xml(test::form_screen());
  REQUIRE(parse_hierarchy(xml));
  for (std::size_t length = 0; length < xml.size(); ++length) {
    INFO(length);
    CHECK_FALSE(parse_hierarchy(std::string_view(xml).substr(0, length)));
  }
}

TEST_CASE("hierarchy: white space around the document does not matter") {
  CHECK(parse_hierarchy("\n  <hierarchy rotation=\"0\"></hierarchy>\r\n\n"));
  CHECK(parse_hierarchy(" " + kHead + "\n\n<hierarchy rotation=\"0\" />\n"));
}

TEST_CASE("hierarchy: odd numbers and missing attributes fall back to nothing") {
  struct Row {
    std::string written;
    Bounds bounds;
  };
  const auto row = GENERATE(values<Row>({
      {"[0,0][1080,2400]", {0, 0, 1080, 2400}},
      {"[-20,-30][10,15]", {-20, -30, 10, 15}},
      {"[0,0][1080,2400", {}},
      {"[0,0] [1080,2400]", {}},
      {"[0,0][1080]", {}},
      {"[a,b][c,d]", {}},
      {"[99999999999,0][1,1]", {}},
      {"[0,0][1,1]x", {}},
      {"", {}},
  }));
  INFO(row.written);
  const UiTree tree = parsed(screen("<node bounds=\"" + row.written + "\" />"));
  CHECK(tree.nodes[0].bounds == row.bounds);
  CHECK(tree.nodes[0].flags.enabled);
  CHECK_FALSE(tree.nodes[0].flags.clickable);
}

TEST_CASE("hierarchy: the centre of extreme bounds does not overflow") {
  const Bounds bounds{2147483600, -2147483647, 2147483647, -2147483000};
  CHECK(bounds.centre() == Point{2147483623, -2147483323});
}

TEST_CASE("hierarchy: nesting and node count are bounded") {
  const auto nested = [](int depth) {
    std::string xml;
    for (int i = 0; i < depth; ++i) xml += "<node>";
    for (int i = 0; i < depth; ++i) xml += "</node>";
    return screen(xml);
  };
  CHECK(parse_hierarchy(nested(kMaxHierarchyDepth)));
  CHECK_FALSE(parse_hierarchy(nested(kMaxHierarchyDepth + 1)));
  CHECK_FALSE(parse_hierarchy(nested(190'000)));

  std::string flat;
  for (std::size_t i = 0; i < kMaxHierarchyNodes; ++i) flat += "<n/>";
  CHECK(parsed(screen(flat)).nodes.size() == kMaxHierarchyNodes);
  CHECK_FALSE(parse_hierarchy(screen(flat + "<n/>")));
  for (int i = 0; i < 3; ++i) flat += flat;
  CHECK_FALSE(parse_hierarchy(screen(flat)));

  const std::string big(kMaxHierarchyBytes, ' ');
  CHECK_FALSE(parse_hierarchy(screen(big)));
}

TEST_CASE("tree hash: equal for equal screens, different when anything differs") {
  const std::string base =
      "<node index=\"0\" text=\"a\" resource-id=\"b\" class=\"c\" "
      "package=\"d\" content-desc=\"e\" clickable=\"true\" "
      "bounds=\"[0,0][2,2]\" />";
  const std::string hash = parsed(screen(base)).hash;
  CHECK(hash.size() == 12);
  CHECK(hash.find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(parsed("<hierarchy rotation=\"0\">" + base + "</hierarchy>\n\n").hash == hash);

  struct Row {
    std::string from, to;
  };
  const auto row = GENERATE(values<Row>({
      {"index=\"0\"", "index=\"1\""},
      {"text=\"a\"", "text=\"x\""},
      {"resource-id=\"b\"", "resource-id=\"\""},
      {"class=\"c\"", "class=\"cc\""},
      {"package=\"d\"", "package=\"x\""},
      {"content-desc=\"e\"", "content-desc=\"x\""},
      {"clickable=\"true\"", "clickable=\"false\""},
      {"[2,2]", "[2,3]"},
      {"/>", "/><node />"},
      {"text=\"a\" resource-id=\"b\"", "text=\"ab\" resource-id=\"\""},
  }));
  INFO(row.from << " -> " << row.to);
  std::string changed = base;
  changed.replace(changed.find(row.from), row.from.size(), row.to);
  CHECK(parsed(screen(changed)).hash != hash);
}

TEST_CASE("tree hash: the same on every machine and in every release") {
  CHECK(parsed("<hierarchy rotation=\"0\" />").hash == parsed("<hierarchy></hierarchy>").hash);
  CHECK(parsed("<hierarchy rotation=\"0\" />").hash != parsed("<hierarchy rotation=\"1\" />").hash);
  // FNV-1a of the eight zero bytes that a rotation of 0 is.
  CHECK(parsed("<hierarchy rotation=\"0\" />").hash == "a8c7f832281a");
}
