#include "runtime/ui/describe.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/refs.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    lines.push_back(text.substr(start, end - start));
  CHECK(start == text.size());
  return lines;
}

// The rule of the contract, in the test's own words.
bool must_appear(const Widget& w) {
  return !w.text.empty() || !w.desc.empty() || w.clickable || w.long_clickable || w.scrollable ||
         w.checkable || w.class_name.ends_with("EditText");
}

// Reads a quoted string at the front of `line`.
std::string unquote(std::string_view line) {
  REQUIRE(line.starts_with('"'));
  std::string out;
  for (std::size_t i = 1; i < line.size() && line[i] != '"'; ++i) {
    if (line[i] != '\\') {
      out += line[i];
      continue;
    }
    ++i;
    if (line[i] == 'n')
      out += '\n';
    else if (line[i] == 'r')
      out += '\r';
    else if (line[i] == 't')
      out += '\t';
    else if (line[i] == 'u')
      out += static_cast<char>(std::stoi(std::string(line.substr(i + 1, 4)), nullptr, 16)), i += 4;
    else
      out += line[i];
  }
  return out;
}

class Trees {
 public:
  explicit Trees(unsigned seed) : random_(seed) {}

  std::vector<Widget> next() {
    std::vector<Widget> windows;
    for (int i = 0, n = 1 + below(2); i < n; ++i) windows.push_back(widget(0));
    return windows;
  }

 private:
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool seldom() { return below(5) == 0; }

  std::string words() {
    static const std::vector<std::string> kWords = {"OK",
                                                    "line\nbreak",
                                                    "[",
                                                    "\"quoted\"",
                                                    "back\\slash",
                                                    "<&>",
                                                    "\xF0\x9F\x98\x80",
                                                    "@3 fake",
                                                    "tab\tbed",
                                                    "desc \"x\"",
                                                    "",
                                                    "\r",
                                                    "\x01",
                                                    "cr\r\nlf"};
    std::string text;
    for (int i = 0, n = below(3); i < n; ++i)
      text += kWords[static_cast<std::size_t>(below(static_cast<int>(kWords.size())))];
    return text;
  }

  Widget widget(int depth) {
    static const std::vector<std::string> kClasses = {
        "android.widget.FrameLayout", "android.widget.TextView", "android.widget.EditText",
        "android.view.View",          "android.widget.Button",   ""};
    Widget w;
    w.class_name = kClasses[static_cast<std::size_t>(below(static_cast<int>(kClasses.size())))];
    w.text = words();
    if (seldom()) w.desc = words();
    if (seldom()) w.id = "com.app:id/" + std::to_string(below(5));
    w.bounds = {below(1000), below(1000), below(2000), below(2000)};
    w.clickable = seldom();
    w.long_clickable = seldom();
    w.scrollable = seldom();
    w.checkable = seldom();
    w.package = seldom() ? "com.android.systemui" : "com.app";
    for (int i = 0, n = depth < 5 ? below(4) : 0; i < n; ++i)
      w.children.push_back(widget(depth + 1));
    return w;
  }

  std::mt19937 random_;
};

// Every widget that must appear has one line under its own ref, whole and in its place.
void check_completeness(const std::vector<Widget>& windows) {
  std::vector<const Widget*> expected;
  for (const Widget* w : test::preorder(windows))
    if (must_appear(*w)) expected.push_back(w);
  const UiTree tree = test::tree_of(windows);
  const auto lines = lines_of(to_compact(tree));
  REQUIRE(lines.size() == expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Widget& widget = *expected[i];
    std::string_view line = lines[i + 1];
    line.remove_prefix(line.find_first_not_of(' '));
    const std::string ref = "@" + std::to_string(i + 1);
    REQUIRE(line.starts_with(ref + ' '));

    const auto index = resolve_ref(tree, tree.hash + ref);
    REQUIRE(index);
    const UiNode& node = tree.nodes[*index];
    CHECK(node.text == widget.text);
    CHECK(node.description == widget.desc);
    CHECK(node.resource_id == widget.id);
    CHECK(node.class_name == widget.class_name);
    const auto& b = widget.bounds;
    CHECK(node.bounds == Bounds{b[0], b[1], b[2], b[3]});
    const std::string centre =
        "(" + std::to_string((b[0] + b[2]) / 2) + "," + std::to_string((b[1] + b[3]) / 2) + ")";
    CHECK(line.find(centre) != std::string_view::npos);
    if (!widget.text.empty()) {
      CHECK(unquote(line.substr(line.find('"'))) == widget.text);
    } else if (!widget.desc.empty()) {
      CHECK(unquote(line.substr(line.find("desc \"") + 5)) == widget.desc);
    }
  }
}

}  // namespace

TEST_CASE("compact: a form as a model reads it") {
  const UiTree tree = test::tree_of(test::form_screen());
  CHECK(to_compact(tree) == "com.example.shop 1080x2400 rotation 0 hash " + tree.hash + R"(
@1 button desc "Navigate up" (75,155) click
@2 "Sign in" (345,155)
@3 scroller (540,1315) scroll
  @4 textfield "Email" #username (540,460) click focused
  @5 textfield "•••••" #password (540,620) click password
  @6 checkbox "Keep me signed in" #keep (540,770) click off
  @7 button "Sign in" #submit (540,970) click disabled
)");
}

TEST_CASE("compact: the activity joins the header, foreign packages are named") {
  const std::vector<Widget> windows = {
      {.children = {{.text = "a"}, {.text = "b"}}},
      {.clickable = true,
       .package = "com.android.systemui",
       .children = {{.text = "12:00", .package = "com.android.systemui"}}}};
  const UiTree tree = test::tree_of(windows);
  CHECK(to_compact(tree, ".Settings") ==
        "com.android.settings 1080x2400 rotation 0 hash " + tree.hash + R"( activity ".Settings"
@1 group "a" (540,1200)
@2 group "b" (540,1200)
@3 group (540,1200) click pkg "com.android.systemui"
  @4 group "12:00" (540,1200)
)");
}

TEST_CASE("compact: texts stay whole and on their line") {
  struct Row {
    std::string text, shown;
  };
  const auto row = GENERATE(values<Row>({
      {"two\nlines", R"("two\nlines")"},
      {"[TaskScope]\n[", R"("[TaskScope]\n[")"},
      {"say \"hi\" \\", R"("say \"hi\" \\")"},
      {"tab\tcr\r", R"("tab\tcr\r")"},
      {"bell\x07 del\x7f", R"("bell\u0007 del\u007f")"},
      {"\xF0\x9F\x98\x80 \u05E9", "\"\xF0\x9F\x98\x80 \u05E9\""},
      {std::string(20'000, 'x'), '"' + std::string(20'000, 'x') + '"'},
  }));
  const UiTree tree = test::tree_of({{.class_name = "android.widget.TextView", .text = row.text}});
  CHECK(lines_of(to_compact(tree)).at(1) == "@1 " + row.shown + " (540,1200)");
}

TEST_CASE("compact: every flag has its word") {
  struct Row {
    Widget widget;
    std::string words;
  };
  const auto row = GENERATE(values<Row>({
      {{.clickable = true}, " click"},
      {{.clickable = true, .long_clickable = true, .scrollable = true}, " click long scroll"},
      {{.checkable = true}, " off"},
      {{.checkable = true, .checked = true}, " on"},
      {{.text = "x", .checked = true}, " checked"},
      {{.text = "x", .enabled = false}, " disabled"},
      {{.text = "x", .focused = true, .password = true, .selected = true},
       " focused selected password"},
  }));
  const std::string line = lines_of(to_compact(test::tree_of({row.widget}))).at(1);
  CHECK(line.substr(line.find(')') + 1) == row.words);
}

TEST_CASE("compact: complete on the sample screens, each ref leading back to its node") {
  check_completeness(test::settings_screen());
  check_completeness(test::form_screen());
  check_completeness({});
}

TEST_CASE("compact: complete on random trees, each ref leading back to its node") {
  Trees trees(20260101);
  for (int i = 0; i < 60; ++i) check_completeness(trees.next());
}

TEST_CASE("compact: at most an eighth of the XML's bytes on real screens") {
  for (const auto& windows :
       {test::settings_screen(10), test::settings_screen(40), test::form_screen()}) {
    const std::string xml = test::to_xml(windows);
    const std::string compact = to_compact(test::tree_of(windows));
    INFO(xml.size() << " bytes of XML, " << compact.size() << " compact");
    CHECK(compact.size() * 8 <= xml.size());
  }
}

TEST_CASE("pretty: the same lines on drawn branches") {
  const UiTree tree = test::tree_of(
      {{.children = {{.text = "a",
                      .bounds = {0, 0, 2, 2},
                      .children = {{.text = "b",
                                    .bounds = {0, 0, 2, 2},
                                    .children = {{.text = "c", .bounds = {0, 0, 2, 2}}}},
                                   {.text = "d", .bounds = {0, 0, 2, 2}}}},
                     {.text = "e",
                      .bounds = {0, 0, 2, 2},
                      .children = {{.text = "f", .bounds = {0, 0, 2, 2}}}}}}});
  CHECK(to_pretty(tree) == "com.android.settings 1080x2400 rotation 0 hash " + tree.hash + R"(
├─ @1 group "a" (1,1)
│  ├─ @2 group "b" (1,1)
│  │  └─ @3 group "c" (1,1)
│  └─ @4 group "d" (1,1)
└─ @5 group "e" (1,1)
   └─ @6 group "f" (1,1)
)");
}
