#include "runtime/host/android_services.hpp"

#include <catch2/catch.hpp>

#include "runtime/engine/errc.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

// What the legacy shell prints for `settings put ...`, and what is made of it.
Result<CommandOutput> after(const std::string& printed) {
  ManualTime time;
  Loop loop;
  FakeDevice device(loop, {});
  device.serve("shell:", says(printed));
  return time.run(loop, run_on_device(&device, "settings put global x 1"));
}

}  // namespace

TEST_CASE("device shell: the legacy shell prints the exit status behind the output", "[loopback]") {
  const auto failed = after("Bad arguments\n\nclawperator-status:255\n");
  REQUIRE(failed);
  CHECK(failed->exit_status == 255);
  CHECK(failed->out == "Bad arguments\n");
}

TEST_CASE("device shell: an answer that is cut before its status is no success", "[loopback]") {
  for (const char* printed : {"", "\nclawperator-status:", "\nclawperator-status:0"}) {
    CAPTURE(printed);
    const auto cut = after(printed);
    REQUIRE_FALSE(cut);
    CHECK(cut.error().code() == errc::device_shell_unavailable);
  }
}
