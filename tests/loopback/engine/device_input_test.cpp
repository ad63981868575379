#include "runtime/engine/device_input.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/android/input_commands.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/device/lock.hpp"
#include "runtime/engine/errc.hpp"
#include "support/fake_device.hpp"
#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace clawperator;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSay = "No shell command implementation.\n";

// A phone of that release, whose `input` is what a test makes of it.
struct InputAt {
  explicit InputAt(int sdk, FeatureSet features = {"shell_v2", "cmd", "abb"})
      : device(loop, std::move(features)) {
    device.serve("shell,v2,raw:getprop ro.serialno;cat", prints("R58\nboot-1\n"));
    device.serve("shell,v2,raw:getprop ro.build.version.sdk", prints(std::to_string(sdk) + "\n"));
  }

  Result<PictureProof> run(std::vector<Words> calls = {tap_words({1, 2})}) {
    DeviceInput input{.command_id = "input-1", .calls = std::move(calls), .limit = 5s};
    return time.run(loop, perform_input(&device, std::move(input)), 1000ms);
  }
  // Without the two questions.
  [[nodiscard]] Words sent() const {
    return {device.opened()->begin() + 2, device.opened()->end()};
  }

  ManualTime time;
  TempFolder home;
  Variable variables[4] = {{"HOME", home.path().string()},
                           {"XDG_CACHE_HOME", home.file("cache")},
                           {"XDG_RUNTIME_DIR", home.path().string()},
                           {"CLAWPERATOR_LOCK_DIR", home.path().string()}};
  Loop loop;
  FakeDevice device;
};

nlohmann::json details_of(const Error& error) {
  return nlohmann::json::parse(error.members())["details"];
}

}  // namespace

TEST_CASE("device input: the service from Android 12 on, the program before", "[loopback]") {
  struct Row {
    int sdk;
    std::string sent;
  };
  const auto row = GENERATE(values<Row>({{24, "shell,v2,raw:input 'tap' '1' '2'"},
                                         {30, "shell,v2,raw:input 'tap' '1' '2'"},
                                         {31, "shell,v2,raw:cmd input 'tap' '1' '2'"},
                                         {36, "shell,v2,raw:cmd input 'tap' '1' '2'"}}));
  CAPTURE(row.sdk);
  InputAt at(row.sdk);
  at.device.serve(row.sent, prints(""));
  CHECK(at.run());
  CHECK(at.sent() == Words{row.sent});
}

TEST_CASE("device input: a service without commands has done nothing, so the program runs",
          "[loopback]") {
  InputAt at(31);
  at.device.serve("shell,v2,raw:cmd input", prints("", kSay));
  at.device.serve("shell,v2,raw:input", prints(""));
  CHECK(at.run());
  CHECK(at.sent() ==
        Words{"shell,v2,raw:cmd input 'tap' '1' '2'", "shell,v2,raw:input 'tap' '1' '2'"});
}

TEST_CASE("device input: what it prints decides, not its status", "[loopback]") {
  struct Row {
    const char* name;
    FakeService input;
    std::string said;
  };
  const auto row = GENERATE(values<Row>({
      {"an error with status 0", prints("", "Error: Invalid arguments for command: tap\n"),
       "Error: Invalid arguments for command: tap"},
      {"an unknown verb", prints("Unknown command: tap\n"), "Unknown command: tap"},
      {"a status alone", prints("", "", 137), "it ended with status 137"},
      {"an exception",
       prints("",
              "\nException occurred while executing 'tap':\njava.lang.SecurityException: Injecting "
              "input events requires the caller to have the INJECT_EVENTS permission.\n\tat "
              "android.os.Binder.x(Binder.java:1)\n",
              255),
       "Exception occurred while executing 'tap':\njava.lang.SecurityException: Injecting input "
       "events requires the caller to have the INJECT_EVENTS permission."},
  }));
  INFO(row.name);
  InputAt at(34);
  at.device.serve("shell,v2,raw:cmd input", row.input);
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::input_failed);
  CHECK(done.error().message() == "the device's input command failed: " + row.said);
  CHECK(at.sent().size() == 1);
  CHECK_FALSE(details_of(done.error()).contains("executionPosition"));
}

TEST_CASE(
    "device input: without an answer the error reports that it may have happened, and "
    "nothing is sent again",
    "[loopback]") {
  struct Row {
    const char* name;
    FakeService input;
    Errc code;
  };
  const auto row = GENERATE(values<Row>({
      {"the link ends", says(""), errc::link_lost},
      {"no answer in time", hangs(), errc::deadline_exceeded},
  }));
  INFO(row.name);
  InputAt at(34);
  at.device.serve("shell,v2,raw:cmd input", row.input);
  at.device.serve("shell,v2,raw:input", prints(""));
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == row.code);
  const auto details = details_of(done.error());
  CHECK(details["dispatchAttempted"] == true);
  CHECK(details["executionPosition"] == "unknown");
  CHECK(at.sent().size() == 1);
  // Others wait until it surely is over.
  CHECK(DeviceLock::acquire("R58-boot-1", "fake", "other").error().code() ==
        errc::execution_conflict_in_flight);
}

TEST_CASE("device input: a closed shell has its own error: nothing was sent", "[loopback]") {
  InputAt at(34);
  const auto done = at.run();
  REQUIRE_FALSE(done);
  CHECK(done.error().code() == errc::device_shell_unavailable);
  CHECK_FALSE(details_of(done.error()).contains("dispatchAttempted"));
}

TEST_CASE("device input: one after the other, up to the first that fails", "[loopback]") {
  InputAt at(34);
  at.device.serve("shell,v2,raw:cmd input 'text' 'a'", prints(""));
  at.device.serve("shell,v2,raw:cmd input 'text' 'b'", prints("", "Killed\n", 137));
  const auto done = at.run({text_words("a"), text_words("b"), text_words("c")});
  REQUIRE_FALSE(done);
  CHECK(at.sent() ==
        Words{"shell,v2,raw:cmd input 'text' 'a'", "shell,v2,raw:cmd input 'text' 'b'"});
  const auto details = details_of(done.error());
  CHECK(details["callsDone"] == 1);
  CHECK(details["calls"] == 3);
}

TEST_CASE("device input: while an execution holds the phone nothing is sent", "[loopback]") {
  InputAt at(34);
  at.device.serve("shell,v2,raw:cmd input", prints(""));
  {
    const auto held = DeviceLock::acquire(lock_identity("R58", "boot-1", "fake"), "fake", "other");
    REQUIRE(held);
    const auto done = at.run();
    REQUIRE_FALSE(done);
    CHECK(done.error().code() == errc::execution_conflict_in_flight);
    CHECK(at.sent().empty());
  }
  CHECK(at.run());
}

TEST_CASE("device input: the progress of a line that fails is unknown", "[loopback]") {
  InputAt at(34);
  at.device.serve("shell,v2,raw:one; two", prints("", "Killed", 137));
  DeviceInput input{
      .command_id = "input-1", .calls = {}, .limit = 5s, .line = "one; two", .line_since = 31};
  const auto result = at.time.run(at.loop, perform_input(&at.device, std::move(input)), 1000ms);
  REQUIRE_FALSE(result);
  CHECK(result.error().code() == errc::input_failed);
  const auto details = details_of(result.error());
  CHECK(details.at("dispatchAttempted") == true);
  CHECK(details.at("executionPosition") == "unknown");
  CHECK_FALSE(details.contains("callsDone"));
}
