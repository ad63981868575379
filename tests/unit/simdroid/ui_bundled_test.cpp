#include "simdroid/ui/hierarchy.hpp"
#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

TEST_CASE("bundled screens: all files parse") {
  const auto set = ScreenSet::parse(bundled_screen_files());
  INFO((set ? "" : set.error().message()));
  REQUIRE(set);
  CHECK(set->apps().size() >= 7);
  CHECK(set->find(kLauncherPackage) != nullptr);
  CHECK(set->find(kSystemUiPackage) != nullptr);
  CHECK(set->find("com.clawperator.operator")->installed);
  CHECK_FALSE(set->find("com.androperator.operator")->installed);
}

TEST_CASE("bundled screens: every link leads somewhere") {
  for (const auto& [package, app] : bundled_screens()->apps()) {
    const auto check = [&](const auto& self, const NodeSpec& spec) -> void {
      for (const std::string& verb : {spec.on_click, spec.on_long_click, spec.on_submit}) {
        INFO(package << ": " << verb);
        const std::string target = verb.substr(std::min(verb.find(':') + 1, verb.size()));
        if (verb.starts_with("go:"))
          CHECK(app.screens.contains(target));
        else if (verb.starts_with("app:"))
          CHECK(bundled_screens()->find(target) != nullptr);
        else if (verb.starts_with("uri:"))
          CHECK(UiWorld().open_uri(target));
        else
          CHECK((verb.empty() || verb == "toggle" || verb == "back" || verb == "home"));
      }
      for (const NodeSpec& child : spec.children) self(self, child);
    };
    for (const auto& [name, screen] : app.screens) check(check, screen.root);
  }
}

// A compact rendering has one line for every node that says or does something: its text, its
// description, and about 34 more characters for a reference, a role, a place and flags.
TEST_CASE("bundled screens: a compact tree is at most an eighth of the XML") {
  for (const auto& [package, app] : bundled_screens()->apps()) {
    for (const auto& [name, screen] : app.screens) {
      UiWorld world;
      world.install(package);
      REQUIRE(world.open_screen(package, name));
      std::size_t compact = 0;
      for_each_view(world.root(), [&](const View& view) {
        const NodeSpec& spec = *view.spec;
        const bool speaks = !view.text.empty() || !spec.description.empty();
        const bool acts = spec.clickable || spec.long_clickable || view.scrollable ||
                          spec.checkable || spec.editable;
        if (speaks || acts) compact += view.text.size() + spec.description.size() + 34;
      });
      INFO(package << " " << name);
      CHECK(compact * 8 <= hierarchy_xml(world).size());
    }
  }
}

TEST_CASE("bundled screens: the big screen is about 60 KB of XML") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "big"));
  const std::size_t size = hierarchy_xml(world).size();
  CHECK(size > 55000);
  CHECK(size < 66000);
}

TEST_CASE("bundled screens: settings has a list of at least 20 entries that scrolls") {
  const Screen& home =
      bundled_screens()->find("com.android.settings")->screens.find("home")->second;
  const auto count = [](const auto& self, const NodeSpec& spec) -> std::size_t {
    std::size_t most = spec.scrollable ? spec.children.size() : 0;
    for (const NodeSpec& child : spec.children) most = std::max(most, self(self, child));
    return most;
  };
  CHECK(count(count, home.root) >= 20);
}
