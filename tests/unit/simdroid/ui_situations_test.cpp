// Screens that are not as simple as a picture: nodes that no user sees, windows over windows, a
// display that turns, a keyboard over a field; and the record of what was really touched.
#include <pugixml.hpp>

#include "simdroid/ui/hierarchy.hpp"
#include "simdroid/ui/keyboard.hpp"
#include "unit/simdroid/operator_support.hpp"

using namespace operator_test;

namespace {

// A pager whose second page lies beside the display, and a list that goes on below it.
std::string pages(std::string_view unseen) {
  return R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"androidx.viewpager.widget.ViewPager","id":"pager","flow":"row","h":100,
       "flags":"scrollable","unseen":")" +
         std::string(unseen) + R"(","children":[
        {"class":"LinearLayout","w":412,"h":100,"children":[{"class":"Button","id":"first","text":"First","w":200,"h":40}]},
        {"class":"LinearLayout","w":412,"h":100,"children":[{"class":"Button","id":"second","text":"Second","w":200,"h":40}]}]},
      {"class":"ScrollView","weight":1,"h":"fill","unseen":")" +
         std::string(unseen) + R"(","children":[{"class":"LinearLayout","children":[
        {"class":"FrameLayout","id":"nothing","w":0,"h":0},
        {"class":"FrameLayout","w":100,"h":2000},
        {"class":"Button","id":"below","text":"Below","w":200,"h":40}]}]}]})";
}

std::map<std::string, std::string> bounds_in(const std::string& xml) {
  pugi::xml_document document;
  REQUIRE(document.load_string(xml.c_str()));
  std::map<std::string, std::string> found;
  for (const auto& each : document.select_nodes("//node[@resource-id!='']")) {
    const std::string id = each.node().attribute("resource-id").value();
    found[id.substr(id.find('/') + 1)] = each.node().attribute("bounds").value();
  }
  return found;
}

// One app with two screens and a window of another app over them.
constexpr const char* kTwoApps = R"({"package":"com.test","launch":"home","screens":{
    "home":{"activity":".Main","root":{"class":"LinearLayout","h":"fill","children":[
      {"class":"Button","id":"twin","text":"Allow"},
      {"class":"EditText","id":"field"}]}},
    "ask":{"activity":".Main","kind":"dialog","root":{"class":"LinearLayout","children":[
      {"class":"Button","text":"Sure"}]}},
    "menu":{"kind":"dialog","window":"PopupWindow:5f2c1a","root":{"class":"LinearLayout","children":[
      {"class":"Button","text":"Copy"}]}},
    "permission":{"package":"com.android.permissioncontroller","kind":"dialog",
      "activity":"com.android.permissioncontroller.permission.ui.GrantPermissionsActivity",
      "root":{"class":"LinearLayout","children":[{"class":"Button","text":"Allow"}]}}}})";

UiWorld two_apps() {
  auto set = parse(kTwoApps);
  REQUIRE(set);
  UiWorld world(std::make_shared<const ScreenSet>(*std::move(set)));
  REQUIRE(world.open_app("com.test"));
  return world;
}

const Touch& last_touch(const UiWorld& world) { return world.touches().all().back(); }

}  // namespace

TEST_CASE("situations: a clipped part is left out, or reported as views do, or as web pages do") {
  using Bounds = std::map<std::string, std::string>;
  const Bounds none = bounds_in(hierarchy_xml(world_of(pages("none"))));
  CHECK((none.contains("first") && !none.contains("second") && !none.contains("below")));
  CHECK_FALSE(none.contains("nothing"));
  // Each ancestor cuts its part off, and what is left of nothing stands on its head.
  Bounds clipped = bounds_in(hierarchy_xml(world_of(pages("clipped"))));
  CHECK(clipped["first"] == "[0,0][525,105]");
  CHECK(clipped["second"] == "[1082,0][1080,105]");
  CHECK(clipped["nothing"] == "[0,263][0,263]");
  CHECK(clipped["below"] == "[0,5513][525,2400]");
  Bounds placed = bounds_in(hierarchy_xml(world_of(pages("placed"))));
  CHECK(placed["second"] == "[1082,0][1607,105]");
  CHECK(placed["below"] == "[0,5513][525,5618]");
}

TEST_CASE(
    "situations: uiautomator leaves out what is not visible, and clips to the display what it "
    "keeps") {
  using Bounds = std::map<std::string, std::string>;
  const auto dump = [](const UiWorld& world) {
    return bounds_in(hierarchy_xml(world, HierarchyStyle::uiautomator));
  };
  const Bounds clipped = dump(world_of(pages("clipped")));
  CHECK((clipped.contains("first") && !clipped.contains("second") && !clipped.contains("nothing")));
  Bounds placed = dump(world_of(pages("placed")));
  CHECK(placed["second"] == "[1082,0][1607,105]");  // nothing of it is on the display
  CHECK(dump(world_of(R"({"class":"WebView","h":"fill","flags":"scrollable","flow":"row",
      "unseen":"placed","children":[{"class":"FrameLayout","w":400,"h":10},
      {"class":"Button","id":"half","text":"Half","w":200,"h":40}]})"))["half"] ==
        "[1050,0][1080,105]");
}

TEST_CASE("situations: the app reports that a node is invisible, and does not touch it") {
  const std::string how = GENERATE("clipped", "placed");
  Bench bench({.version = "0.12.5"});
  bench.world = world_of(pages(how));
  const std::string xml = bench.step("snapshot_ui")["data"]["text"].get<std::string>();
  CHECK(xml.contains(R"(visible-to-user="false")"));  // the node without a size
  for (const char* id : {"second", "below", "nothing"}) {
    bench.log.clear();
    bench.receive(
        command(action("click", R"({"matcher":{"resourceId":"com.test:id/)" + std::string(id) +
                                    R"("},"retry":{"maxAttempts":1}})")));
    bench.finish();
    CHECK(bench.envelope()["errorCode"] == "NODE_NOT_FOUND");
  }
  CHECK(bench.world.touches().all().empty());
}

TEST_CASE("situations: a finger beside the display touches nothing, and closes no dialog") {
  UiWorld world = world_of(pages("placed"));
  world.tap({1300, 50});
  CHECK_FALSE(last_touch(world).node);
  UiWorld asks = two_apps();
  REQUIRE(asks.open_screen("com.test", "ask"));
  asks.tap({500, 2550});
  CHECK(asks.screen().name == "ask");
}

TEST_CASE("situations: the record shows which node of which window was touched") {
  UiWorld world = two_apps();
  tap_text(world, "Allow");
  CHECK(last_touch(world).kind == TouchKind::tap);
  CHECK(last_touch(world).window == "com.test/com.test.Main");
  CHECK(last_touch(world).node->id == "com.test:id/twin");
  REQUIRE(world.open_screen("com.test", "permission"));
  tap_text(world, "Allow");
  CHECK(last_touch(world).node->package == "com.android.permissioncontroller");
  CHECK(last_touch(world).node->id.empty());
  world.press(Key::back);
  world.type("lost");
  CHECK((last_touch(world).kind == TouchKind::keys && last_touch(world).text == "lost"));
  CHECK_FALSE(last_touch(world).node);
  world.tap(with_id(world, "com.test:id/field")->bounds.centre());
  world.press(Key::del);
  CHECK((last_touch(world).kind == TouchKind::key && last_touch(world).text == "DEL"));
  CHECK(last_touch(world).node->id == "com.test:id/field");
  const std::size_t before = world.touches().all().size();
  CHECK_FALSE(world.perform_click(4711, Click::click));
  CHECK(world.touches().all().size() == before);
}

TEST_CASE("situations: the app's touches are in the record, with the node that took them") {
  Bench bench({.version = "0.5.3"});
  bench.world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"LinearLayout","id":"row","click":"toggle","children":[{"class":"TextView","text":"Inside"}]},
      {"class":"TextView","id":"alone","text":"Alone"},
      {"class":"EditText","id":"field"}]})");
  // As the app does it: the nearest clickable node takes the click.
  bench.step("click", R"({"matcher":{"textEquals":"Inside"}})");
  CHECK(last_touch(bench.world).kind == TouchKind::click);
  CHECK(last_touch(bench.world).node->id == "com.test:id/row");
  bench.step("click", R"({"matcher":{"textEquals":"Alone"}})");
  CHECK(last_touch(bench.world).kind == TouchKind::tap);
  CHECK_FALSE(last_touch(bench.world).node);
  bench.step("enter_text",
             R"({"matcher":{"resourceId":"com.test:id/field"},"text":"Bob","submit":true})");
  CHECK(last_touch(bench.world).kind == TouchKind::submit);
  const auto& touches = bench.world.touches().all();
  CHECK(touches[touches.size() - 2].text == "Bob");
}

TEST_CASE("situations: a text is a description where a node has no text, as the app reads it") {
  Bench bench({.version = "0.5.3"});
  bench.world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"ImageButton","id":"picture","desc":"Allow"},
      {"class":"Button","id":"button","text":"Allow"}]})");
  bench.step("click", R"({"matcher":{"textEquals":"Allow"}})");
  CHECK(last_touch(bench.world).node->id == "com.test:id/picture");
}

TEST_CASE("situations: words move, remove and double a node, whose number stays") {
  UiWorld world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"FrameLayout","h":100,"when":"moved"},
      {"class":"Button","text":"Twin","when":"twin"},
      {"class":"Button","id":"it","text":"It","when":"!gone"}]})");
  const auto it = [&] { return with_id(world, "com.test:id/it"); };
  const int number = it()->spec->number;
  const auto revision = world.revision();
  CHECK((it()->bounds.top == 0 && with_text(world, "Twin") == nullptr));
  world.set_word("moved", true);
  CHECK((it()->bounds.top == 263 && it()->spec->number == number));
  CHECK(world.revision() > revision);
  world.set_word("twin", true);
  CHECK(with_text(world, "Twin") != nullptr);
  world.set_word("gone", true);
  CHECK(it() == nullptr);
  world.set_word("gone", false);
  CHECK(it() != nullptr);
}

TEST_CASE("situations: each window has a number, and a dialog may have its activity's title") {
  UiWorld world = two_apps();
  const UiWindow home = world.windows().front();
  CHECK((home.title == "com.test/com.test.Main" && home.focused && world.windows().size() == 1));
  REQUIRE(world.open_screen("com.test", "ask"));
  CHECK(world.windows().front().title == home.title);
  CHECK(world.windows().front().id != home.id);
  CHECK(world.windows().back().id == home.id);
  world.press(Key::back);
  CHECK(world.windows().front().id == home.id);
  REQUIRE(world.open_screen("com.test", "menu"));
  CHECK(world.windows().front().title == "PopupWindow:5f2c1a");
  CHECK(world.resumed_component() == "com.test/com.test.Main");
  REQUIRE(world.open_screen("com.test", "permission"));
  CHECK(world.foreground_package() == "com.android.permissioncontroller");
  CHECK(world.resumed_component().starts_with("com.android.permissioncontroller/"));
  // The activity, not the dialog that has its name.
  REQUIRE(world.open_activity("com.test", ".Main"));
  CHECK(world.screen().name == "home");
}

TEST_CASE("situations: a screen that turns lies on its side when the display does") {
  int quarter = 0;
  UiWorld world = world_of(R"({"class":"FrameLayout","id":"all","h":"fill"})");
  world.rotation = [&] { return quarter; };
  world.advance(at(1ms));
  CHECK(world.root().bounds == Rect{0, 0, 1080, 2400});
  quarter = 1;
  world.advance(at(2ms));
  CHECK(world.root().bounds == Rect{0, 0, 2400, 1080});
  CHECK(hierarchy_xml(world).contains(R"(<hierarchy rotation="1">)"));
  quarter = 2;
  world.advance(at(3ms));
  CHECK(world.root().bounds == Rect{0, 0, 1080, 2400});
}

TEST_CASE("situations: a keyboard over a window takes the fingers, and is a window of its own") {
  auto set = parse(R"({"package":"com.test","launch":"home","screens":{"home":{"keyboard":"covers",
      "root":{"class":"LinearLayout","h":"fill","children":[{"class":"EditText","id":"field"},
        {"class":"FrameLayout","weight":1},{"class":"Button","id":"low","text":"Low","w":"fill","h":200}]}}}})");
  REQUIRE(set);
  UiWorld world(std::make_shared<const ScreenSet>(*std::move(set)));
  REQUIRE(world.open_app("com.test"));
  const Point low = with_id(world, "com.test:id/low")->bounds.centre();
  CHECK(keyboard_place(world.display()).contains(low));
  world.tap(low);
  CHECK(last_touch(world).node->id == "com.test:id/low");
  world.tap(with_id(world, "com.test:id/field")->bounds.centre());
  REQUIRE(world.keyboard_shown());
  world.tap(low);
  CHECK(last_touch(world).package == kKeyboardPackage);
  const View keyboard = keyboard_view(world.display());
  const auto q = std::ranges::find(keyboard.children, "q", &View::text);
  world.tap(q->bounds.centre());
  CHECK(with_id(world, "com.test:id/field")->text == "q");
  // Without a finger the node takes its click all the same.
  CHECK(world.perform_click(with_id(world, "com.test:id/low")->spec->number, Click::click));
  pugi::xml_document windows;
  REQUIRE(windows.load_string(windows_xml(world).c_str()));
  const auto first = windows.child("displays").child("display").child("window");
  CHECK(first.attribute("type").value() == std::string("TYPE_INPUT_METHOD"));
  CHECK(first.child("hierarchy").child("node").attribute("package").value() == kKeyboardPackage);
  const auto second = first.next_sibling("window");
  CHECK(second.attribute("focused").as_bool());
  CHECK(second.child("hierarchy").child("node").attribute("package").value() ==
        std::string("com.test"));
}

TEST_CASE(
    "situations: the app reports the window in front, and which other app's window is there") {
  Bench bench({.version = "0.12.5"});
  bench.world = two_apps();
  const auto reported = [&](const char* key) {
    return bench.step("snapshot_ui")["data"].value(key, std::string());
  };
  CHECK((reported("foreground_package") == "com.test" && reported("has_overlay") == "false"));
  bench.world.show_keyboard(true);
  CHECK(reported("overlay_package") == kKeyboardPackage);
  bench.world.show_keyboard(false);
  REQUIRE(bench.world.open_screen("com.test", "ask"));
  CHECK(reported("has_overlay") == "false");
  REQUIRE(bench.world.open_screen("com.test", "permission"));
  CHECK(reported("foreground_package") == "com.android.permissioncontroller");
  CHECK(reported("overlay_package") == "com.test");
}
