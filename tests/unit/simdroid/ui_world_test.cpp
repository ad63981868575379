#include "simdroid/ui/ui_world.hpp"

#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

TEST_CASE("world: a phone starts awake on its launcher") {
  const UiWorld world;
  CHECK(world.awake());
  CHECK_FALSE(world.locked());
  CHECK(world.foreground_package() == kLauncherPackage);
  CHECK(with_text(world, "Settings") != nullptr);
}

TEST_CASE("world: tapping an entry opens its screen, back returns, home leaves") {
  UiWorld world = settings_world();
  CHECK(world.foreground_activity() == "com.android.settings.Settings");
  tap_text(world, "Network & internet");
  CHECK(world.screen().name == "network");
  world.press(Key::back);
  CHECK(world.screen().name == "home");
  world.press(Key::back);
  CHECK(world.foreground_package() == kLauncherPackage);
}

TEST_CASE("world: an app that is opened again is where it was left") {
  UiWorld world = settings_world();
  tap_text(world, "Network & internet");
  world.press(Key::home);
  CHECK(world.foreground_package() == kLauncherPackage);
  REQUIRE(world.open_app("com.android.settings"));
  CHECK(world.screen().name == "network");
  world.force_stop("com.android.settings");
  CHECK(world.foreground_package() == kLauncherPackage);
  REQUIRE(world.open_app("com.android.settings"));
  CHECK(world.screen().name == "home");
}

TEST_CASE("world: of a split screen the half that has the focus is read, and a finger moves it") {
  UiWorld world = settings_world();
  CHECK_FALSE(world.window_beside());
  CHECK_FALSE(world.split_screen("com.android.settings", "home"));
  REQUIRE(world.split_screen("com.android.chrome", "home"));
  CHECK(world.foreground_package() == "com.android.settings");
  CHECK(world.root().bounds == Rect{0, 0, 1080, 1200});
  REQUIRE(world.window_beside());
  CHECK(world.window_beside()->first.package == "com.android.chrome");
  CHECK(world.window_beside()->second.bounds == Rect{0, 1200, 1080, 2400});
  world.tap({540, 1300});
  CHECK(world.foreground_package() == "com.android.chrome");
  CHECK(world.root().bounds == Rect{0, 1200, 1080, 2400});
  CHECK(world.window_beside()->first.package == "com.android.settings");
  world.press(Key::home);
  CHECK_FALSE(world.window_beside());
}

TEST_CASE("world: what is not installed cannot be opened") {
  UiWorld world;
  CHECK_FALSE(world.open_app("com.absent"));
  CHECK_FALSE(world.open_app("com.clawperator.operator.dev"));
  REQUIRE(world.install("com.clawperator.operator.dev"));
  CHECK(world.open_app("com.clawperator.operator.dev"));
  world.uninstall("com.clawperator.operator.dev");
  CHECK(world.foreground_package() == kLauncherPackage);
  CHECK_FALSE(world.installed("com.clawperator.operator.dev"));
  CHECK_FALSE(world.install("com.absent"));
}

TEST_CASE("world: the longest prefix decides who opens an address, and the page shows it") {
  UiWorld world;
  REQUIRE(world.open_uri("https://example.com/?q=1"));
  CHECK(world.foreground_package() == "com.android.chrome");
  CHECK(with_id(world, "com.android.chrome:id/url_bar")->text == "https://example.com/?q=1");
  REQUIRE(world.open_uri("conformance://big"));
  CHECK(world.screen().name == "big");
  CHECK_FALSE(world.open_uri("absent://x"));
  CHECK_FALSE(world.open_uri("https://example.com/", "com.android.settings"));
}

TEST_CASE("world: what is typed into a field filters the rows that name it") {
  UiWorld world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"EditText","id":"field"},
      {"class":"TextView","text":"always"},
      {"class":"TextView","text":"Wi-Fi","filter":"field"},
      {"class":"LinearLayout","filter":"field","children":[
        {"class":"TextView","text":"Calls"},{"class":"TextView","text":"over Wi-Fi"}]},
      {"class":"TextView","text":"Bluetooth","filter":"field"},
      {"class":"TextView","text":"lost","filter":"nowhere"}]})");
  const auto there = [&](std::string_view text) { return with_text(world, text) != nullptr; };
  const int field = with_id(world, "com.test:id/field")->spec->number;
  CHECK((there("Wi-Fi") && there("Calls") && there("Bluetooth") && there("lost")));
  REQUIRE(world.set_text(field, "wifi"));
  CHECK((there("always") && there("Wi-Fi") && there("Calls") && there("lost")));
  CHECK_FALSE(there("Bluetooth"));
  REQUIRE(world.set_text(field, "wifi "));
  CHECK(there("Wi-Fi"));
  REQUIRE(world.set_text(field, "xyz"));
  CHECK_FALSE((there("Wi-Fi") || there("Calls")));
  REQUIRE(world.set_text(field, ""));
  CHECK(there("Bluetooth"));
}

TEST_CASE("world: activities open by their short and full names") {
  UiWorld world;
  CHECK(world.open_activity("com.android.settings", ".wifi.WifiSettings"));
  CHECK(world.screen().name == "wifi");
  CHECK(world.open_activity("com.android.settings", "com.android.settings.DisplaySettings"));
  CHECK(world.screen().name == "display");
  CHECK_FALSE(world.open_activity("com.android.settings", ".Nothing"));
}

TEST_CASE("world: a swipe scrolls as far as the finger went and stops at both ends") {
  UiWorld world = settings_world();
  const int list = with_id(world, "com.android.settings:id/recycler_view")->spec->number;
  const auto offset = [&] {
    return with_id(world, "com.android.settings:id/recycler_view")->scroll_offset;
  };
  CHECK(with_text(world, "About phone") == nullptr);
  world.swipe({540, 1800}, {540, 1300});
  CHECK(offset() == 500);
  for (int i = 0; i < 20; ++i) world.swipe({540, 1800}, {540, 1000});
  const int most = offset();
  CHECK(most == with_id(world, "com.android.settings:id/recycler_view")->scroll_max);
  CHECK(with_text(world, "Feedback & diagnostics") != nullptr);
  CHECK(world.scroll(list, Direction::down, 0.7) == Scrolled::edge_reached);
  CHECK(world.scroll(list, Direction::up, 0.5) == Scrolled::moved);
  while (world.scroll(list, Direction::up, 1.0) == Scrolled::moved) {
  }
  CHECK(offset() == 0);
  CHECK(world.scroll(list, Direction::left, 0.5) == Scrolled::edge_reached);
}

TEST_CASE("world: the scroll position survives a visit to another screen") {
  UiWorld world = settings_world();
  world.swipe({540, 1800}, {540, 900});
  const int before = with_id(world, "com.android.settings:id/recycler_view")->scroll_offset;
  tap_text(world, "System");
  world.press(Key::back);
  CHECK(with_id(world, "com.android.settings:id/recycler_view")->scroll_offset == before);
}

TEST_CASE("world: a sideways swipe moves the sideways list, an upright one its surroundings") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "feed"));
  const Point on_card = with_id(world, "com.clawperator.conformance:id/carousel")->bounds.centre();
  world.swipe(on_card, {on_card.x - 400, on_card.y});
  CHECK(with_id(world, "com.clawperator.conformance:id/carousel")->scroll_offset == 400);
  const Point inner = with_id(world, "com.clawperator.conformance:id/inner_list")->bounds.centre();
  world.swipe(inner, {inner.x, inner.y - 200});
  CHECK(with_id(world, "com.clawperator.conformance:id/inner_list")->scroll_offset == 200);
  CHECK(with_id(world, "com.clawperator.conformance:id/outer_scroll")->scroll_offset == 0);
  world.swipe({540, 2200}, {540, 2000});
  CHECK(with_id(world, "com.clawperator.conformance:id/outer_scroll")->scroll_offset == 200);
}

TEST_CASE("world: typed text is appended, kept while the app lives, and gone with it") {
  UiWorld world;
  const std::string id = "com.clawperator.conformance:id/name_field";
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  CHECK(with_id(world, id)->text == "Name");  // the hint
  world.type("lost");
  CHECK(with_id(world, id)->text == "Name");
  world.tap(with_id(world, id)->bounds.centre());
  CHECK(world.keyboard_shown());
  CHECK(with_id(world, id)->focused);
  world.type("Ada");
  world.type(" L");
  CHECK(with_id(world, id)->text == "Ada L");
  world.press(Key::del);
  CHECK(with_id(world, id)->text == "Ada ");
  world.press(Key::back);
  CHECK_FALSE(world.keyboard_shown());
  CHECK(world.screen().name == "form");
  world.press(Key::home);
  REQUIRE(world.open_app("com.clawperator.conformance"));
  CHECK(with_id(world, id)->text == "Ada ");
  world.force_stop("com.clawperator.conformance");
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  CHECK(with_id(world, id)->text == "Name");
}

TEST_CASE("world: what is typed stands behind the text that the field has") {
  UiWorld world =
      world_of(R"({"class":"EditText","id":"field","text":"Pixel 7","hint":"Device name"})");
  world.tap(with_id(world, "com.test:id/field")->bounds.centre());
  world.press(Key::del);
  CHECK(with_id(world, "com.test:id/field")->text == "Pixel ");
  world.type("8");
  CHECK(with_id(world, "com.test:id/field")->text == "Pixel 8");
  for (int i = 0; i < 9; ++i) world.press(Key::del);
  CHECK(with_id(world, "com.test:id/field")->text == "Device name");
}

TEST_CASE("world: deleting takes a whole character") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  const View* field = with_id(world, "com.clawperator.conformance:id/name_field");
  world.set_text(field->spec->number, "a\xf0\x9f\x98\x80");
  world.press(Key::del);
  CHECK(with_id(world, "com.clawperator.conformance:id/name_field")->text == "a");
  world.press(Key::del);
  CHECK(with_id(world, "com.clawperator.conformance:id/name_field")->text == "Name");
  world.press(Key::del);
}

TEST_CASE("world: enter in a field does what the field says") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  tap_text(world, "Name");
  world.type("x");
  world.press(Key::enter);
  CHECK(world.screen().name == "greeting");
}

TEST_CASE("world: a row toggles the switch in it, and the switch outlives the app") {
  UiWorld world;
  const auto checked = [&] { return with_id(world, "android:id/switch_widget")->checked; };
  REQUIRE(world.open_screen("com.android.settings", "wifi"));
  CHECK(checked());
  tap_text(world, "Wi-Fi");
  CHECK_FALSE(checked());
  world.tap(with_id(world, "android:id/switch_widget")->bounds.centre());
  CHECK(checked());
  tap_text(world, "Wi-Fi");
  world.force_stop("com.android.settings");
  REQUIRE(world.open_screen("com.android.settings", "wifi"));
  CHECK_FALSE(checked());
}

TEST_CASE("world: a dialog answers, closes by a tap beside it, and by back") {
  UiWorld world;
  REQUIRE(world.open_app("com.clawperator.conformance"));
  tap_text(world, "Ask");
  CHECK(world.screen().kind == ScreenKind::dialog);
  CHECK(world.root().bounds.left > 0);
  CHECK(world.window_below().has_value());
  CHECK(world.window_count() == 4);
  world.tap({5, 5});
  CHECK(world.screen().name == "home");
  tap_text(world, "Ask");
  world.press(Key::back);
  CHECK(world.screen().name == "home");
  tap_text(world, "Ask");
  tap_text(world, "Delete");
  CHECK(world.screen().name == "greeting");
  world.press(Key::back);
  CHECK(world.screen().name == "home");
}

TEST_CASE("world: a long press does something else than a tap") {
  UiWorld world;
  REQUIRE(world.open_app("com.clawperator.conformance"));
  world.long_press(with_text(world, "Ask")->bounds.centre());
  CHECK(world.screen().name == "held");
}

TEST_CASE("world: a disabled button swallows the tap") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  const auto before = world.revision();
  tap_text(world, "Disabled");
  CHECK(world.screen().name == "form");
  CHECK(world.revision() == before);
  CHECK_FALSE(world.perform_click(with_text(world, "Disabled")->spec->number, Click::click));
}

TEST_CASE("world: nodes come and go with time, and the world says when") {
  UiWorld world;
  world.advance(at(10s));
  REQUIRE(world.open_screen("com.clawperator.conformance", "later"));
  CHECK(with_text(world, "Loading...") != nullptr);
  CHECK(with_text(world, "Here I am") == nullptr);
  REQUIRE(world.next_change() == at(12s));
  const auto before = world.revision();
  world.advance(at(12s) - 1ns);
  CHECK(with_text(world, "Here I am") == nullptr);
  CHECK(world.revision() == before);
  world.advance(at(12s));
  CHECK(with_text(world, "Loading...") == nullptr);
  CHECK(with_text(world, "Here I am") != nullptr);
  CHECK(world.revision() > before);
  CHECK_FALSE(world.next_change());
}

TEST_CASE("world: a sleeping phone takes no touches; a locked one shows its keyguard") {
  UiWorld world = settings_world();
  world.press(Key::power);
  CHECK_FALSE(world.awake());
  world.tap({540, 500});
  world.press(Key::home);
  CHECK_FALSE(world.awake());
  world.press(Key::wakeup);
  CHECK(world.awake());
  CHECK(world.locked());
  CHECK(world.foreground_package() == kSystemUiPackage);
  CHECK(with_text(world, "Swipe up to open") != nullptr);
  world.press(Key::home);
  CHECK(world.locked());
  world.swipe({540, 2000}, {540, 800});
  CHECK_FALSE(world.locked());
  CHECK(world.foreground_package() == "com.android.settings");
}

TEST_CASE("world: listeners hear what happened") {
  UiWorld world = settings_world();
  std::vector<std::string> heard;
  world.set_event_listener([&](const UiEvent& event) {
    switch (event.type) {
      case UiEvent::Type::window_change: heard.push_back("window " + event.title); break;
      case UiEvent::Type::click: heard.push_back("click"); break;
      case UiEvent::Type::scroll:
        heard.push_back("scroll " + std::to_string(event.scroll_y));
        break;
      case UiEvent::Type::press_back: heard.push_back("back"); break;
      case UiEvent::Type::text_change: heard.push_back("text " + event.view->text); break;
    }
  });
  world.swipe({540, 1800}, {540, 1700});
  tap_text(world, "Search settings");
  tap_text(world, "Search settings");
  world.type("hi");
  world.press(Key::back);
  world.press(Key::back);
  CHECK(heard == std::vector<std::string>{"scroll 100", "click", "window Search settings", "click",
                                          "text hi", "back", "back", "window Settings"});
}

TEST_CASE("world: keys are known by name and by number") {
  CHECK(key_from_name("KEYCODE_BACK") == Key::back);
  CHECK(key_from_name("HOME") == Key::home);
  CHECK(key_from_name("187") == Key::recents);
  CHECK(key_from_name("29") == Key::other);
  CHECK_FALSE(key_from_name("KEYCODE_NOTHING"));
  CHECK_FALSE(key_from_name(""));
  CHECK_FALSE(key_from_name("-1"));
  CHECK_FALSE(key_from_name("99999999999999999999"));
}

TEST_CASE("world: a set without launcher or keyguard still stands") {
  UiWorld world(std::make_shared<const ScreenSet>());
  world.press(Key::back);
  world.press(Key::home);
  world.press(Key::recents);
  world.tap({1, 1});
  world.swipe({1, 1}, {1, 900});
  world.force_stop("com.test");
  CHECK(world.root().bounds == Rect{0, 0, 1080, 2400});
  CHECK_FALSE(world.open_app("com.test"));
}
