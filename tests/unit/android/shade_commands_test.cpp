#include "runtime/android/screen_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("shade: in the words of each release", "[android]") {
  CHECK(shade_line(25, Shade::open) == "service call statusbar 1");
  CHECK(shade_line(25, Shade::closed) == "service call statusbar 2");
  CHECK(shade_line(26, Shade::open) == "cmd statusbar expand-notifications");
  CHECK(shade_line(36, Shade::closed) == "cmd statusbar collapse");
  CHECK(shade_line(26, Shade::quick_settings) == "cmd statusbar expand-settings");
}

TEST_CASE("shade: the window that has the focus decides", "[android]") {
  CHECK(parse_shade("  mWakefulness=Awake\n  mCurrentFocus=Window{1 u0 NotificationShade}\n") ==
        ShadeState{{.awake = true}, true});
  CHECK(parse_shade("mIsShowing=false\n  mCurrentFocus=Window{5c u0 StatusBar}\n") ==
        ShadeState{{.locked = false}, true});
  CHECK(parse_shade("  mCurrentFocus=null\n  mCurrentFocus=Window{1 u0 a.b/a.b.Main}\n") ==
        ShadeState{{}, false});
  CHECK(parse_shade("  mCurrentFocus=Window{1 u0 a.b/a.b.StatusBar}\n").open == false);
  CHECK_FALSE(parse_shade("Can't find service: window\n").open);
}
