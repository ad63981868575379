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

}  // namespace clawperator
