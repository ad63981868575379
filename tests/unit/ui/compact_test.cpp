#include "runtime/ui/describe.hpp"

#include <algorithm>
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

// All quoted strings of a line, unquoted.
std::vector<std::string> texts_of(std::string_view line) {
  std::vector<std::string> texts;
  for (std::size_t at = line.find('"'); at != line.npos; at = line.find('"', at + 1)) {
    texts.push_back(unquote(line.substr(at)));
    for (++at; line[at] != '"'; ++at) {
      if (line[at] == '\\') ++at;
    }
  }
  return texts;
}

bool takes_action(const Widget& w) {
  return w.clickable || w.long_clickable || w.scrollable || w.checkable ||
         w.class_name.ends_with("EditText");
}

int ref_at_front(std::string_view line) {
  line.remove_prefix(line.find('@') + 1);
  return std::stoi(std::string(line));
}

// Every widget that must appear is in one line, with its texts; one that takes an action has its
// ref there.
void check_completeness(const std::vector<Widget>& windows) {
  std::vector<const Widget*> expected;
  for (const Widget* w : test::preorder(windows))
    if (must_appear(*w)) expected.push_back(w);
  const UiTree tree = test::tree_of(windows);
  const auto lines = lines_of(to_compact(tree));
  REQUIRE(lines.size() <= expected.size() + 1);
  std::size_t in_line = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Widget& widget = *expected[i];
    const int number = static_cast<int>(i) + 1;
    if (in_line + 1 < lines.size() && ref_at_front(lines[in_line + 1]) == number) ++in_line;
    const std::string& line = lines[in_line];
    const std::string ref = "@" + std::to_string(number);
    INFO(line);

    const auto index = resolve_ref(tree, tree.hash + ref);
    REQUIRE(index);
    const UiNode& node = tree.nodes[*index];
    CHECK(node.text == widget.text);
    CHECK(node.description == widget.desc);
    CHECK(node.resource_id == widget.id);
    CHECK(node.class_name == widget.class_name);
    const auto& b = widget.bounds;
    CHECK(node.bounds == Bounds{b[0], b[1], b[2], b[3]});
    const auto texts = texts_of(line);
    for (const std::string& text : {widget.text, widget.desc}) {
      CHECK((text.empty() || std::ranges::find(texts, text) != texts.end()));
    }
    const bool begins = ref_at_front(line) == number;
    CHECK((begins || !takes_action(widget) || line.find("; " + ref + ' ') != line.npos));
  }
  CHECK(in_line + 1 == lines.size());
}

}  // namespace

TEST_CASE("compact: a form as a model reads it") {
  const UiTree tree = test::tree_of(test::form_screen());
  CHECK(to_compact(tree) == "com.example.shop 1080x2400 hash " + tree.hash + R"(
@1 button desc "Navigate up"
@2 "Sign in"
@3 scroller scroll
  @4 textfield "Email" #username focused
  @5 textfield "•••••" #password password
  @6 checkbox "Keep me signed in" #keep off
  @7 button "Sign in" #submit disabled
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
        "com.android.settings 1080x2400 hash " + tree.hash + R"( activity ".Settings"
@1 "a"
@2 "b"
@3 group click pkg "com.android.systemui"
  @4 "12:00"
)");
}

TEST_CASE("compact: a toolbar's title stands once, unless it can do something") {
  const auto bar = [](Widget title) {
    title.text = "Notes";
    return test::tree_of({{.desc = "Notes",
                           .children = {{.class_name = "android.widget.ImageButton",
                                         .desc = "Navigate up",
                                         .clickable = true},
                                        std::move(title)}}});
  };
  const std::string up = "@1 desc \"Notes\"\n  @2 button desc \"Navigate up\"\n";
  const auto body = [](const UiTree& tree) {
    const std::string text = to_compact(tree);
    return text.substr(text.find('\n') + 1);
  };
  const Widget plain{.class_name = "android.widget.TextView"};
  CHECK(body(bar(plain)) == up);
  CHECK(bar(plain).interesting.size() == 3);
  for (auto flag : {&Widget::clickable, &Widget::focused, &Widget::selected}) {
    Widget title = plain;
    title.*flag = true;
    CHECK(body(bar(title)).starts_with(up + "  @3 \"Notes\" "));
  }
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
  CHECK(lines_of(to_compact(tree)).at(1) == "@1 " + row.shown);
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
  CHECK(line == (row.widget.text.empty() ? "@1 group" : "@1 \"x\"") + row.words);
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

namespace {

Widget text_at(int top, std::string text, std::string id) {
  return {.class_name = "android.widget.TextView",
          .id = std::move(id),
          .text = std::move(text),
          .bounds = {0, top, 900, top + 40}};
}

// A list item of 160 pixels; its switch is a control of its own.
Widget item(int top, const std::string& title, const std::string& summary, bool has_switch) {
  Widget row{.bounds = {0, top, 1080, top + 160},
             .clickable = true,
             .children = {text_at(top, title, "android:id/title"),
                          text_at(top + 50, summary, "android:id/summary")}};
  if (has_switch) {
    row.children.push_back({.class_name = "android.widget.Switch",
                            .id = "com.app:id/toggle",
                            .desc = title,
                            .bounds = {900, top, 1080, top + 160},
                            .clickable = true,
                            .checkable = true});
  }
  return row;
}

std::string rows(const UiTree& tree) {
  const std::string text = to_compact(tree);
  return text.substr(text.find('\n') + 1);
}

}  // namespace

TEST_CASE("compact: what a person sees as one row is one line") {
  const std::vector<Widget> windows = {
      {.children = {item(0, "Wi-Fi", "Home", true), item(200, "VPN", "None", false),
                    item(400, "Same", "Same", false), item(600, "2", "", false)}}};
  // A score of 2 to 2 has both numbers. The ids of titles and summaries are repeated, that of the
  // switch is not.
  CHECK(rows(test::tree_of(windows)) == R"(@1 "Wi-Fi" "Home" click; @4 switch #toggle off
@5 "VPN" "None" click
@8 "Same" "Same" click
@11 "2" click
)");
}

TEST_CASE("compact: what is no row keeps a line for each node") {
  struct Row {
    std::string name;
    Widget widget;
    std::string lines;
  };
  Widget page = item(0, "Title", "Text", false);
  page.bounds = {0, 0, 1080, 700};  // more than a quarter of the screen
  Widget around = item(0, "a", "b", true);
  around.children[2].children = {text_at(0, "c", "")};
  Widget scrolls = item(0, "a", "b", false);
  scrolls.children.push_back({.bounds = {0, 0, 9, 9}, .scrollable = true});
  Widget field = item(0, "a", "b", false);
  field.children.push_back({.class_name = "android.widget.EditText", .bounds = {0, 0, 9, 9}});
  Widget many{.bounds = {0, 0, 1080, 160}, .clickable = true};
  for (int i = 0; i < 9; ++i) many.children.push_back(text_at(i, std::to_string(i), ""));
  const auto row = GENERATE_COPY(values<Row>({
      {"a page", page, "@1 group click\n  @2 \"Title\" #title\n  @3 \"Text\" #summary\n"},
      {"a control with a text in it", around, "@1 group click\n  @2 \"a\" #title\n"},
      {"a list in it", scrolls, "@1 group click\n  @2 \"a\" #title\n"},
      {"a field in it", field, "@1 group click\n  @2 \"a\" #title\n"},
      {"many texts", many, "@1 group click\n  @2 \"0\"\n"},
  }));
  INFO(row.name);
  CHECK(rows(test::tree_of({{.children = {row.widget}}})).starts_with(row.lines));
}

TEST_CASE("compact: the header has what the rows do not show") {
  const auto header = [](std::vector<Widget> children) {
    const UiTree tree = test::tree_of({{.children = std::move(children)}});
    const std::string text = to_compact(tree);
    const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
    return std::string(line.substr(line.find(tree.hash) + tree.hash.size()));
  };
  CHECK(header({}).empty());
  CHECK(header({{.id = "android:id/inputArea", .bounds = {0, 1500, 1080, 2400}}}) ==
        " keyboard covers y 1500-2400");
  CHECK(header({text_at(900, "Delete?", "com.app:id/alertTitle")}) == " dialog \"Delete?\"");
  CHECK(header({{.id = "com.android.systemui:id/keyguard_pin_view"}}) == " locked");
  CHECK(header({{.id = "com.evil:id/keyguard_pin_view"}}).empty());
  const Widget web{.class_name = "android.webkit.WebView"};
  CHECK(header({web}) == " (web content without nodes: take a picture)");
  Widget page = web;
  page.children = {text_at(0, "Hello", "")};
  CHECK(header({page}).empty());
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
  CHECK(to_pretty(tree) == "com.android.settings 1080x2400 hash " + tree.hash + R"(
├─ @1 "a"
│  ├─ @2 "b"
│  │  └─ @3 "c"
│  └─ @4 "d"
└─ @5 "e"
   └─ @6 "f"
)");
}
