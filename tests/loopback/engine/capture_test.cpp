// A picture of its own: one question to the device, in the envelope that the app's way has.

#include "runtime/engine/engine.hpp"

#include <catch2/catch.hpp>

#include "adbproto/wire/errc.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "support/engine_bench.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::testing;
using namespace std::chrono_literals;
using namespace adbproto;

namespace {

constexpr const char* kScreencap = "shell,v2,raw:screencap -p";

ExecuteRequest picture(const std::string& path, Backend backend = Backend::shell) {
  auto request = EngineBench::request(R"({"id":"p1","type":"take_screenshot","params":{"path":")" +
                                      path + "\"}}");
  request.backend = backend;
  return request;
}

Task<void> in_a_while(ByteStreamPtr stream, std::string service) {
  co_await sleep_for(100ms);
  co_return co_await prints(tiny_png())(std::move(stream), std::move(service));
}

}  // namespace

TEST_CASE("capture: only the screen is read, whichever command runs", "[loopback]") {
  EngineBench at;
  const auto held = DeviceLock::acquire("SERIAL1-boot-1", "phone-1", "other");
  std::shared_ptr<const std::vector<std::string>> opened;
  at.phone.packages = "";
  at.phone.screencap = prints(tiny_png());
  at.phone.prepare = [&](FakeDevice& device) { opened = device.opened(); };
  const std::string path = at.home.file("one.png");
  const auto result = at.run(picture(path));
  REQUIRE(result);
  CHECK(result->backend == Backend::shell);
  CHECK((file_text(path) == tiny_png()));
  CHECK(*opened == std::vector<std::string>{kScreencap});
}

TEST_CASE("capture: the envelope is the one that comes by the app", "[loopback]") {
  EngineBench at;
  at.answers(result_line(
      step("p1", "take_screenshot", false,
           R"({"error":"UNSUPPORTED_RUNTIME_SCREENSHOT","message":"not by the app"})")));
  at.phone.screencap = GENERATE(prints(tiny_png()), prints("", "no screen", 1), prints("GIF89a"));
  const std::string path = at.home.file("one.png");
  const auto by_app = at.run(picture(path, Backend::operator_app));
  const auto by_shell = at.run(picture(path));
  REQUIRE(by_app);
  REQUIRE(by_shell);
  CHECK(to_json(by_shell->envelope) == to_json(by_app->envelope));
}

TEST_CASE("capture: errors that are not the picture's are reported as elsewhere", "[loopback]") {
  struct Row {
    const char* name;
    Error why;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"a closed shell", {errc::refused, "closed"}, errc::device_shell_unavailable},
      {"a device that the server lost",
       {errc::refused, "device 'phone-1' not found"},
       errc::link_lost},
      {"a link that is gone", {errc::io, "connection reset"}, errc::link_lost},
  }));
  INFO(row.name);
  EngineBench at;
  at.phone.prepare = [&](FakeDevice& device) { device.fails(kScreencap, row.why); };
  const auto result = at.run(picture(at.home.file("one.png")));
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == row.code);
  CHECK_FALSE(std::filesystem::exists(at.home.file("one.png")));
}

TEST_CASE("capture: one that loses the link is a step that failed", "[loopback]") {
  EngineBench at;
  at.phone.screencap = says("");  // no status
  const auto result = at.run(picture(at.home.file("one.png")));
  REQUIRE(result);
  CHECK(*find_data(result->envelope.step_results.at(0).data, "error") == "LINK_LOST");
  CHECK_FALSE(std::filesystem::exists(at.home.file("one.png")));
}

TEST_CASE("capture: one that is cancelled ends as cancelled", "[loopback][L6]") {
  EngineBench at;
  at.phone.screencap = hangs();
  auto run = at.loop.start(at.execute(picture(at.home.file("one.png"))));
  at.loop.settle_with_pool();
  run->cancel();
  const auto result = at.time.finish(at.loop, run);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::cancelled);
  CHECK_FALSE(std::filesystem::exists(at.home.file("one.png")));
}

TEST_CASE("capture: what it teaches stands beside what is known of the boot", "[loopback]") {
  EngineBench at;
  at.phone.screencap = in_a_while;
  DeviceMemory before;
  before.boot_id = GENERATE("", "boot-1");
  before.operator_package = before.boot_id.empty() ? "" : "com.clawperator.operator";
  if (!before.boot_id.empty()) remember_device("phone-1", before);
  REQUIRE(at.run(picture(at.home.file("one.png"))));
  DeviceMemory after = recall_device("phone-1");
  CHECK(after.device_png >= 100ms);
  after.device_png.reset();
  CHECK(after == before);
}
