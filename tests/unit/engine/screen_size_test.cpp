#include "runtime/engine/screen_size.hpp"

#include <catch2/catch.hpp>

namespace clawperator {

TEST_CASE("screen size: what wm size prints, an override first", "[F42]") {
  CHECK(parse_wm_size("Physical size: 1080x2400\n") == ScreenSize{1080, 2400});
  CHECK(parse_wm_size("Physical size: 1440x3200\r\nOverride size: 1080x2400\r\n") ==
        ScreenSize{1080, 2400});
}

TEST_CASE("screen size: anything else is none", "[F42]") {
  for (const char* text :
       {"", "Physical size: ", "Physical size: 1080", "Physical size: 0x0", "Physical size: x2400",
        "Physical size: -1x5", "Physical size: 99999999999x1", "sh: wm: not found"}) {
    CHECK_FALSE(parse_wm_size(text));
  }
}

// As public reports have them, of a Pixel and of emulators.
TEST_CASE("screen now: the main display as it is turned, and a keyboard that is shown") {
  const ScreenNow folded = parse_screen_now(
      "  Display: mDisplayId=2\n    init=800x600 320dpi cur=800x600\n"
      "        InsetsSource id=3 type=ime frame=[0,100][800,600] visible=true\n"
      "  Display: mDisplayId=0 (organized)\n    init=2076x2152 390dpi "
      "mMinSizeOfResizeableTaskDp=220 cur=2152x2076 app=2152x2076 rng=2076x2076-2152x2152\n"
      "        InsetsSource id=3 type=ime frame=[0,0][0,0] visibleFrame=[0,1307][1080,2316] "
      "visible=false flags=\r\n"
      "  Display: mDisplayId=01\n    init=1x1 cur=7x7\n");
  CHECK(folded == ScreenNow{ScreenSize{2152, 2076}, {}});
  for (const char* shown :
       {"InsetsSource type=ITYPE_IME frame=[0,1285][1080,2220] visibleFrame=[0,1285][1080,2220] "
        "visible=true insetsRoundedCornerFrame=false",
        "        InsetsSource id=3 type=ime frame=[0,1285][1080,2220] visible=true\r",
        "InsetsSource type=ITYPE_IME frame=[0,0][0,0] visible=true\n"
        "InsetsSource type=ITYPE_IME frame=[0,1285][1080,2220] visible=true"}) {
    INFO(shown);
    const ScreenNow now = parse_screen_now("  Display: mDisplayId=0\n" + std::string(shown));
    CHECK(now == ScreenNow{std::nullopt, {0, 1285, 1080, 2220}});
  }
}

TEST_CASE("screen now: what the phone does not say is not known") {
  for (const char* text :
       {"", "cur=1080x2400", "Display: mDisplayId=\n cur=1080x2400",
        "Display: mDisplayId=0\n cur=0x0\n cur=-5x7\n cur=99999999999x1",
        "Display: mDisplayId=0\nInsetsSource type=statusBars frame=[0,0][1080,84] visible=true",
        "Display: mDisplayId=0\nInsetsSource type=ime frame=[0,5][9,9]",
        "Display: mDisplayId=0\nInsetsSource type=ime frame=[9,9][0,5] visible=true",
        "Display: mDisplayId=0\nInsetsSource type=ime frame=[0,5][9,99999999999] visible=true"}) {
    INFO(text);
    CHECK(parse_screen_now(text) == ScreenNow{});
  }
}

}  // namespace clawperator
