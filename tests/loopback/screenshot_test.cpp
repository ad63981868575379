#include "runtime/engine/screenshot.hpp"
#include "runtime/contract/errc.hpp"

#include <catch2/catch.hpp>

#include "support/fake_device.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;

TEST_CASE("screenshot: a link that ends is told as such, a command that prints nothing too",
          "[loopback][F69]") {
  struct Row {
    const char* name;
    FakeService screencap;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"the link is lost before the first byte", says(""), errc::link_lost},
      {"the link is lost in the middle", says(shell_output("PNG and more").substr(0, 9)),
       errc::link_lost},
      {"screencap prints nothing", prints(""), errc::screenshot_capture_failed},
      {"screencap fails", prints("", "no display", 1), errc::screenshot_capture_failed},
  }));
  INFO(row.name);
  const auto method = GENERATE(CaptureMethod::device_png, CaptureMethod::raw_frame);
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  device.serve("shell,v2,raw:screencap", row.screencap);
  const auto captured = loop.run(capture_screen(&device, {}, {}, {.faster = method}, 5s));
  REQUIRE_FALSE(captured);
  CHECK(captured.error().code() == row.code);
}
