#include "runtime/engine/screenshot.hpp"
#include "runtime/engine/screen_watch.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/image/errc.hpp"
#include "support/engine_bench.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;

TEST_CASE("screenshot: a link that ends has its own error, a command that prints nothing too",
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

namespace {

// Two black pixels, as screencap prints them; `format` 1 is RGBA.
std::string two_pixels(char format = 1) {
  std::string frame(16 + 8, '\0');
  frame[0] = 2;
  frame[4] = 1;
  frame[8] = format;
  return frame;
}

}  // namespace

TEST_CASE("screenshot: the raw way is tried, and left where it is not the sooner one",
          "[loopback]") {
  struct Row {
    const char* name;
    FakeService raw;
    CaptureMethod method;
    std::size_t captures;
  };
  const auto row = GENERATE(values<Row>({
      {"it is there", prints(two_pixels()), CaptureMethod::raw_frame, 1},
      {"it takes too long", hangs(), CaptureMethod::device_png, 2},
      {"it fails", prints("", "no", 1), CaptureMethod::device_png, 2},
      {"it has pixels of an unknown format", prints(two_pixels(9)), CaptureMethod::device_png, 3},
  }));
  INFO(row.name);
  ManualTime time;
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  device.serve("shell,v2,raw:screencap", row.raw);
  device.serve("shell,v2,raw:screencap -p", prints(clawperator::testing::tiny_png()));
  const auto captured =
      time.run(loop, capture_screen(&device, {}, {}, {.raw_trial = 600ms}, 5s), 100ms);
  REQUIRE(captured);
  CHECK(captured->method == row.method);
  CHECK(captured->raw_in_vain.has_value() == (row.method == CaptureMethod::device_png));
  CHECK(device.opened()->size() == row.captures);
}

TEST_CASE("screenshot: a link that is lost during the raw trial is reported", "[loopback]") {
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  device.serve("shell,v2,raw:screencap", says(""));
  const auto captured = loop.run(capture_screen(&device, {}, {}, {.raw_trial = 600ms}, 5s));
  REQUIRE_FALSE(captured);
  CHECK(captured.error().code() == errc::link_lost);
  CHECK(device.opened()->size() == 1);
}

namespace {

Task<PictureProof> watch(Device* device, Verify wanted) {
  ScreenWatch screen(device, wanted, false);
  co_await screen.look_before();
  co_return co_await screen.look_after();
}

}  // namespace

TEST_CASE("screen watch: a screen that rests has settled, however long the rest has to be",
          "[loopback]") {
  const auto still = GENERATE(0ms, 300ms, 3000ms, 5000ms, 10000ms);
  INFO(still.count());
  ManualTime time;
  Loop loop;
  FakeDevice device(loop, {"shell_v2"});
  std::string white = two_pixels();
  std::ranges::fill(std::span(white).subspan(16), '\xff');
  device.serve("shell,v2,raw:screencap", prints(white));
  const auto proof =
      time.run(loop, watch(&device, {.what = Verify::What::settled, .still = still}), 1000ms);
  REQUIRE(proof);
  CHECK(proof->settled == true);
  CHECK(proof->changed == false);
}
