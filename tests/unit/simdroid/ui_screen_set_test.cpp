#include "simdroid/ui/screen_set.hpp"

#include <filesystem>
#include <fstream>

#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

namespace {

const NodeSpec& root_of(const ScreenSet& set) {
  return set.find("com.test")->screens.find("home")->second.root;
}

}  // namespace

TEST_CASE("screen set: classes, ids and sizes get their full form") {
  const auto set = one_screen(R"({"class":"LinearLayout","children":[
      {"class":"TextView","id":"label","text":"hi"},
      {"class":"RecyclerView","id":"android:id/list","w":100,"h":"fill"},
      {"class":"com.test.Custom","pad":[1,2,3,4]}]})");
  const NodeSpec& root = root_of(*set);
  CHECK(root.class_name == "android.widget.LinearLayout");
  CHECK(root.children[0].resource_id == "com.test:id/label");
  CHECK(root.children[1].class_name == "androidx.recyclerview.widget.RecyclerView");
  CHECK(root.children[1].resource_id == "android:id/list");
  CHECK(root.children[1].scrollable);
  // 100 dp at 420 dpi
  CHECK(root.children[1].width == 263);
  CHECK(root.children[1].height == kFill);
  CHECK(root.children[2].class_name == "com.test.Custom");
  CHECK(root.children[2].padding[3] == 11);
}

TEST_CASE("screen set: every node of a screen has its own number") {
  const auto set = one_screen(R"({"children":[{"children":[{},{}]},{"repeat":3}]})");
  std::vector<int> numbers;
  const auto collect = [&](const auto& self, const NodeSpec& spec) -> void {
    numbers.push_back(spec.number);
    for (const NodeSpec& child : spec.children) self(self, child);
  };
  collect(collect, root_of(*set));
  std::sort(numbers.begin(), numbers.end());
  CHECK(numbers.size() == 7);
  CHECK(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
}

TEST_CASE("screen set: templates take arguments, leave out what is empty, and nest") {
  const auto set = parse(R"({
    "templates":{"row":{"class":"LinearLayout","children":[
        {"class":"TextView","text":"$title"},
        {"if":"$summary","class":"TextView","text":"$summary"}]},
      "pair":{"children":[{"use":"row","title":"$a"},{"use":"row","title":"x","summary":"$b"}]},
      "box":{"children":"$rows"}},
    "package":"com.test","screens":{"home":{"root":
      {"use":"box","rows":[{"use":"pair","a":"one","b":"two"},{"repeat":2,"use":"row","title":"{i}!"}]}}}})");
  REQUIRE(set);
  const NodeSpec& root = root_of(*set);
  REQUIRE(root.children.size() == 3);
  const NodeSpec& pair = root.children[0];
  REQUIRE(pair.children.size() == 2);
  CHECK(pair.children[0].children.size() == 1);
  CHECK(pair.children[0].children[0].text == "one");
  REQUIRE(pair.children[1].children.size() == 2);
  CHECK(pair.children[1].children[1].text == "two");
  CHECK(root.children[1].children[0].text == "1!");
  CHECK(root.children[2].children[0].text == "2!");
}

TEST_CASE("screen set: a mistake names the file, the screen and the thing") {
  struct Case {
    const char* name;
    const char* text;
    const char* message;
  };
  const auto c = GENERATE(values<Case>({
      {"not json", "{", "test.json: not a JSON object"},
      {"a list", "[]", "test.json: not a JSON object"},
      {"no root", R"({"package":"p","screens":{"s":{}}})", "test.json: screen s has no root"},
      {"unknown key", R"({"package":"p","screens":{"s":{"root":{"colr":"#ffffff"}}}})",
       "test.json: screen s: unknown key colr"},
      {"unknown flag", R"({"package":"p","screens":{"s":{"root":{"flags":"clicky"}}}})",
       "test.json: screen s: unknown flag clicky"},
      {"unknown template", R"({"package":"p","screens":{"s":{"root":{"use":"row"}}}})",
       "test.json: screen s: unknown template \"row\""},
      {"wrong type", R"({"package":"p","screens":{"s":{"root":{"text":1}}}})",
       "test.json: screen s: text must be a string"},
      {"bad colour", R"({"package":"p","screens":{"s":{"root":{"colour":"red"}}}})",
       "test.json: screen s: colour must be #RRGGBB or #RRGGBBAA"},
      {"huge size", R"({"package":"p","screens":{"s":{"root":{"w":1e9}}}})",
       "test.json: screen s: w must be a number from 0 to 4000"},
      {"too many copies",
       R"({"package":"p","screens":{"s":{"root":{"children":[{"repeat":201}]}}}})",
       "test.json: screen s: repeat must be a number from 0 to 200"},
      {"endless template",
       R"({"templates":{"t":{"use":"t"}},"package":"p","screens":{"s":{"root":{"use":"t"}}}})",
       "test.json: screen s: nodes or templates are nested too deeply"},
      {"no launch screen", R"({"package":"p","launch":"x"})", "test.json: launch: no screen x"},
      {"no uri screen", R"({"package":"p","uris":{"a:":"x"}})",
       "test.json: uris: no screen for a:"},
      {"bad kind", R"({"package":"p","screens":{"s":{"kind":"popup","root":{}}}})",
       "test.json: screen s: unknown kind popup"},
      {"argument of the wrong kind",
       R"({"templates":{"t":{"text":"{i}"}},"package":"p","screens":{"s":{"root":{"use":"t","i":{}},"kind":1}}})",
       ""},
  }));
  INFO(c.name);
  const auto set = parse(c.text);
  if (*c.message == 0) {
    CHECK(set.has_value());
    return;
  }
  REQUIRE_FALSE(set);
  CHECK(set.error().message() == c.message);
}

TEST_CASE("screen set: JSON that is nested without end is refused, not followed") {
  const std::string deep(100000, '[');
  const auto set = parse(R"({"package":"p","x":)" + deep);
  REQUIRE_FALSE(set);
  CHECK(set.error().message() == "test.json: JSON is nested too deeply");
}

TEST_CASE("screen set: copies within copies end at the node limit") {
  const auto set = parse(R"({"package":"p","screens":{"s":{"root":{"children":[
      {"repeat":200,"children":[{"repeat":200}]}]}}}})");
  REQUIRE_FALSE(set);
  CHECK(set.error().message() == "test.json: screen s: too many nodes");
}

TEST_CASE("screen set: a user's directory adds apps and replaces bundled ones") {
  const auto folder =
      std::filesystem::temp_directory_path() /
      ("screens-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "mine.json")
      << R"({"package":"com.mine","launch":"a","screens":{"a":{"root":{"use":"page","title":"T"}}}})";
  std::ofstream(folder / "chrome.json") << R"({"package":"com.android.chrome","label":"Other"})";
  std::ofstream(folder / "notes.txt") << "not a screen";
  const auto set = ScreenSet::load_directory(folder.string());
  REQUIRE(set);
  CHECK(set->find("com.mine") != nullptr);
  CHECK(set->find("com.android.chrome")->label == "Other");
  CHECK(set->find("com.android.settings") != nullptr);
  std::ofstream(folder / "zbad.json") << "{";
  CHECK_FALSE(ScreenSet::load_directory(folder.string()));
  std::filesystem::remove_all(folder);
  CHECK_FALSE(ScreenSet::load_directory(folder.string()));
}
