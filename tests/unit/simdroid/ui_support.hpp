#pragma once
// Builders for tests of the simulated screen and the Operator app: small sets, lookups, payloads.

#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "simdroid/operator/operator_app.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace ui_test {

using namespace simdroid;
using namespace std::chrono_literals;

inline Time at(Duration since_start) { return Time(since_start); }

inline Result<ScreenSet> parse(std::string_view text) {
  return ScreenSet::parse({{"test.json", std::string(text)}});
}

// One app `com.test` whose screen `home` has this root node.
inline std::shared_ptr<const ScreenSet> one_screen(std::string_view root) {
  auto set = parse(R"({"package":"com.test","launch":"home","screens":{"home":{"root":)" +
                   std::string(root) + "}}}");
  REQUIRE(set);
  return std::make_shared<const ScreenSet>(*std::move(set));
}

inline UiWorld world_of(std::string_view root) {
  UiWorld world(one_screen(root));
  REQUIRE(world.open_app("com.test"));
  return world;
}

inline UiWorld settings_world() {
  UiWorld world;
  REQUIRE(world.open_app("com.android.settings"));
  return world;
}

inline const View* with_text(const UiWorld& world, std::string_view text) {
  return find_view(world.root(), [text](const View& view) { return view.text == text; });
}

inline const View* with_id(const UiWorld& world, std::string_view id) {
  return find_view(world.root(), [id](const View& view) { return view.spec->resource_id == id; });
}

// Taps the middle of the node with this text; the text must be on screen.
inline void tap_text(UiWorld& world, std::string_view text) {
  const View* view = with_text(world, text);
  INFO("looking for " << text);
  REQUIRE(view != nullptr);
  world.tap(view->bounds.centre());
}

}  // namespace ui_test
