#include <algorithm>
#include <set>

#include "simdroid/ui/draw.hpp"
#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

namespace {

// Distinct colours inside a rectangle.
std::set<std::uint32_t> colours_in(const Frame& frame, const Rect& area) {
  std::set<std::uint32_t> colours;
  for (int y = area.top; y < area.bottom; ++y) {
    for (int x = area.left; x < area.right; ++x) {
      colours.insert(frame.pixels[static_cast<std::size_t>(y * frame.width + x)]);
    }
  }
  return colours;
}

}  // namespace

TEST_CASE("draw: a frame has one opaque RGBA pixel for every dot of the screen") {
  const Frame frame = draw_screen(settings_world());
  CHECK(frame.width == 1080);
  CHECK(frame.height == 2400);
  REQUIRE(frame.bytes().size() == 1080u * 2400u * 4u);
  CHECK(std::all_of(frame.pixels.begin(), frame.pixels.end(), [](std::uint32_t pixel) {
    return (std::as_bytes(std::span(&pixel, 1))[3] == std::byte{0xff});
  }));
}

TEST_CASE("draw: red comes first in memory") {
  const UiWorld world = world_of(R"({"h":"fill","colour":"#112233"})");
  const Frame frame = draw_screen(world);
  const std::size_t middle = (1200u * 1080u + 540u) * 4u;
  CHECK(frame.bytes()[middle] == std::byte{0x11});
  CHECK(frame.bytes()[middle + 1] == std::byte{0x22});
  CHECK(frame.bytes()[middle + 2] == std::byte{0x33});
}

TEST_CASE("draw: the same screen gives the same pixels, another one gives others") {
  UiWorld world = settings_world();
  const Frame first = draw_screen(world);
  CHECK(first.pixels == draw_screen(settings_world()).pixels);
  world.swipe({540, 1800}, {540, 1500});
  CHECK(first.pixels != draw_screen(world).pixels);
}

TEST_CASE("draw: every visible text of every bundled screen leaves ink") {
  for (const auto& [package, app] : bundled_screens()->apps()) {
    for (const auto& [name, screen] : app.screens) {
      UiWorld world;
      world.install(package);
      REQUIRE(world.open_screen(package, name));
      const Frame frame = draw_screen(world);
      for_each_view(world.root(), [&](const View& view) {
        const bool cut = view.bounds != view.frame;
        if (view.spec->text_scale == 0 || cut || view.text.find_first_not_of(' ') > 1000) return;
        INFO(package << " " << name << ": " << view.text);
        CHECK(colours_in(frame, view.bounds).size() >= 2);
      });
    }
  }
}

TEST_CASE("draw: toggling a switch changes its picture and nothing else") {
  UiWorld world;
  REQUIRE(world.open_screen("com.android.settings", "wifi"));
  const Rect place = with_id(world, "android:id/switch_widget")->bounds;
  const Frame before = draw_screen(world);
  tap_text(world, "Wi-Fi");
  const Frame after = draw_screen(world);
  std::size_t inside = 0, outside = 0;
  for (int y = 0; y < 2400; ++y) {
    for (int x = 0; x < 1080; ++x) {
      const auto i = static_cast<std::size_t>(y * 1080 + x);
      if (before.pixels[i] != after.pixels[i]) ++(place.contains({x, y}) ? inside : outside);
    }
  }
  CHECK(inside > 0);
  CHECK(outside == 0);
}

TEST_CASE("draw: passwords are not legible") {
  UiWorld world;
  const auto with_password = [&](const char* text) {
    world.set_text(with_id(world, "com.clawperator.conformance:id/password_field")->spec->number,
                   text);
    return draw_screen(world).pixels;
  };
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  CHECK(with_password("secret") == with_password("topsec"));
  CHECK(with_password("secret") != with_password("longersecret"));
}

TEST_CASE("draw: the keyboard appears with the focus and covers the bottom") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "form"));
  const Rect bottom{0, 1700, 1080, 2300};
  CHECK(colours_in(draw_screen(world), bottom).size() == 1);
  tap_text(world, "Name");
  CHECK(colours_in(draw_screen(world), bottom).size() >= 3);
}

TEST_CASE("draw: a screen that is off is black") {
  UiWorld world;
  world.set_awake(false);
  const Frame frame = draw_screen(world);
  CHECK(colours_in(frame, {0, 0, 1080, 2400}).size() == 1);
  CHECK(frame.bytes()[0] == std::byte{0});
  CHECK(frame.bytes()[3] == std::byte{0xff});
}

TEST_CASE("draw: a letter's edge is between ink and paper, its stem is ink") {
  for (const int size : {4, 20}) {
    const UiWorld world = world_of(R"({"class":"TextView","text":"I","pad":[0,160,0,0],"size":)" +
                                   std::to_string(size) + R"(,"text_colour":"#ff0000"})");
    const auto colours = colours_in(draw_screen(world), {0, 420, 12 * size, 420 + 12 * size});
    const std::uint32_t ink = 0xff0000ff, paper = 0xfffdf9f8;  // as bytes: R, G, B, A
    CHECK(colours.contains(ink));
    CHECK(colours.contains(paper));
    CHECK(colours.size() > 2);
    for (const std::uint32_t colour : colours) CHECK((colour & 0xff) >= 0xf8);  // red in both
  }
}
