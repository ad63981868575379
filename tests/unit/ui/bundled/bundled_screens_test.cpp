// The contract's promise about the compact tree, on the screens that the simulated device carries.

#include <algorithm>
#include <catch2/catch.hpp>

#include "runtime/ui/describe.hpp"
#include "runtime/ui/hierarchy.hpp"
#include "runtime/ui/rows.hpp"
#include "simdroid/ui/hierarchy.hpp"
#include "simdroid/ui/screen_set.hpp"
#include "simdroid/ui/ui_world.hpp"

namespace {

std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

template <class Check>
void for_each_screen(Check check) {
  for (const auto& [package, app] : simdroid::bundled_screens()->apps()) {
    for (const auto& [name, screen] : app.screens) {
      INFO(package << " " << name);
      simdroid::UiWorld world;
      world.open_screen(package, name);
      check(world);
    }
  }
}

}  // namespace

TEST_CASE("bundled screens: the compact tree is at most an eighth of the XML, and complete") {
  std::size_t seen = 0;
  for_each_screen([&](const simdroid::UiWorld& world) {
    const std::string xml = simdroid::hierarchy_xml(world);
    const auto tree = clawperator::parse_hierarchy(xml);
    REQUIRE(tree);
    const std::string compact = clawperator::to_compact(*tree);
    CHECK(compact.size() * 8 <= xml.size());
    const auto rows = clawperator::rows_of(*tree);
    const auto shown = std::ranges::count(rows, false, &clawperator::Row::is_echo);
    CHECK(std::ranges::count(compact, '\n') == shown + 1);
    CHECK(tree->nodes.size() == occurrences(xml, "<node"));
    ++seen;
  });
  CHECK(seen >= 10);
}

TEST_CASE("bundled screens: both spellings of the XML give the same tree") {
  for_each_screen([](const simdroid::UiWorld& world) {
    using enum simdroid::HierarchyStyle;
    const auto logged = clawperator::parse_hierarchy(simdroid::hierarchy_xml(world, operator_log));
    const auto dumped = clawperator::parse_hierarchy(simdroid::hierarchy_xml(world, uiautomator));
    REQUIRE((logged && dumped));
    CHECK(clawperator::to_compact(*logged) == clawperator::to_compact(*dumped));
  });
}
