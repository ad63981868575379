#include "runtime/android/screen_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("screen state: awake and locked are read where a phone reports them", "[android]") {
  struct Case {
    const char* text;
    ScreenState state;
  };
  // The lines as PowerManagerService and KeyguardStateMonitor print them.
  const Case cases[] = {
      {"  mWakefulness=Awake\n      mIsShowing=false\n", {true, false}},
      {"  mWakefulness=Asleep\n      mIsShowing=true\n", {false, true}},
      {"  mWakefulness=Dozing\r\n", {false, {}}},
      {"  mWakefulness=Dreaming\n      mIsShowing=true\n", {false, true}},
      {"      mIsShowing=true\n", {{}, true}},
      {"  mIsShowing=maybe\n", {}},
      {"", {}},
      {"dumpsys: not found\n", {}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    CHECK((parse_screen_state(each.text) == each.state));
  }
}
