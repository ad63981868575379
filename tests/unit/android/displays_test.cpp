#include "runtime/android/screen_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

// Printed in one line by `dumpsys display` of Android 10 and newer.
std::string viewports(const std::string& inside) {
  return "DISPLAY MANAGER (dumpsys display)\n  mViewports=[" + inside + "]\n  mDefault=1\n";
}

std::string viewport(const char* id, const char* unique) {
  return "DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=" + std::string(id) +
         ", uniqueId='" + unique + "', physicalPort=0, orientation=0}";
}

}  // namespace

TEST_CASE("displays: the one that shows the default viewport", "[android][R13]") {
  struct Row {
    const char* name;
    std::string printed;
    std::optional<std::string> id;
  };
  const auto row = GENERATE(values<Row>({
      {"one", viewports(viewport("0", "local:4619827259835644672")), "4619827259835644672"},
      {"the external one first",
       viewports(viewport("2", "local:77") + ", " + viewport("0", "local:88")), "88"},
      {"a virtual one has no physical id",
       viewports(viewport("0", "virtual:com.x,10117,cast,0")),
       {}},
      {"Android 9 and older", viewports(viewport("0", "")), {}},
      {"displayId 01 is not 0", viewports(viewport("01", "local:5")), {}},
      {"cut in the middle", viewports(viewport("0", "local:88")).substr(0, 90), {}},
      {"hostile id", viewports(viewport("0", "local:$(reboot)")), {}},
      {"no end of digits",
       viewports(viewport("0", std::string("local:" + std::string(40, '1')).c_str())),
       {}},
      {"nothing", "", {}},
  }));
  INFO(row.name);
  CHECK(main_display(row.printed) == row.id);
}

TEST_CASE("displays: screencap reports when it had to choose", "[android][R13]") {
  CHECK(
      names_several_displays("[Warning] Multiple displays were found, but no display id was "
                             "specified! Defaulting to the first display found"));
  CHECK_FALSE(names_several_displays(""));
}

TEST_CASE("displays: how the default one is turned", "[android]") {
  struct Row {
    const char* name;
    std::string info;
    std::optional<int> turns;
  };
  const auto row = GENERATE(values<Row>({
      {"Android 14", "{\"Built-in Screen\", displayId 0, real 2400 x 1080, rotation 1, state ON}",
       1},
      {"Android 7",
       "{\"Built-in Screen\", uniqueId \"local:0\", real 1080 x 1920, rotation 0, density 420}", 0},
      {"Android 10",
       "{\"Built-in Screen, displayId 0\", uniqueId \"local:0\", real 1080 x 2280, rotation 3, "
       "density 440}",
       3},
      {"Android 11",
       "{\"Built-in Screen\", displayId 0, FLAG_SECURE, real 1080 x 2280, rotation 2, state ON}",
       2},
      {"Android 12",
       "{\"Built-in Screen\", displayId 0\", displayGroupId 0, FLAG_SECURE, real 1080 x 2400, "
       "rotation 1, state ON}",
       1},
      {"another display of Android 10",
       "{\"HDMI, displayId 2\", uniqueId \"x\", rotation 1, a}",
       {}},
      {"another display of Android 12", "{\"HDMI\", displayId 2\", rotation 1, state ON}", {}},
      {"displayId 01 is not 0", "{\"HDMI\", displayId 01, rotation 1, state ON}", {}},
      {"another display", "{\"HDMI\", displayId 2, rotation 1, state ON}", {}},
      {"cut", "{\"Built-in Screen\", displayId 0, rotation 1", {}},
      {"not a quarter turn", "{\"Built-in Screen\", displayId 0, rotation 4, x}", {}},
      {"degrees", "{\"Built-in Screen\", displayId 0, rotation 90, x}", {}},
  }));
  INFO(row.name);
  CHECK(main_rotation("  mOverrideDisplayInfo=DisplayInfo" + row.info + "\n") == row.turns);
  CHECK(main_rotation("  mBaseDisplayInfo=DisplayInfo" + row.info + "\n") == std::nullopt);
}

TEST_CASE("displays: the default one behind another", "[android]") {
  CHECK(main_rotation("  mOverrideDisplayInfo=DisplayInfo{\"X\", displayId 2, rotation 1, a}\n"
                      "  mOverrideDisplayInfo=DisplayInfo{\"Y\", displayId 0, rotation 3, a}\n") ==
        3);
}
