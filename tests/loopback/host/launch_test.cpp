#include "runtime/host/doctor/questions.hpp"

#include <catch2/catch.hpp>

#include "runtime/engine/errc.hpp"
#include "support/fake_device.hpp"
#include "support/print_result.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;

namespace {

constexpr const char* kStarting =
    "Starting: Intent { cmp=com.x/clawperator.activity.MainActivity }\n";

Result<void> launch(FakeDevice& device, Loop& loop) {
  return loop.run(launch_operator(&device, "com.x"));
}

}  // namespace

TEST_CASE("launch: the output of am start decides, never its status", "[loopback][W1]") {
  struct Row {
    const char* name;
    const char* out;
    const char* err;
    int status;
    bool started;
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"all is well", kStarting, "", 0, true},
      {"abb's status is 1 whatever happens", kStarting, "", 1, true},
      {"it is in front already", kStarting,
       "Warning: Activity not started, its current task has been brought to the front\n", 0, true},
      {"no such activity, exit 0", kStarting,
       "Error type 3\nError: Activity class {com.x/clawperator.activity.MainActivity} does not "
       "exist.\n",
       0, false},
      {"the same on stdout", "Starting: Intent { cmp=com.x/.M }\nError: Activity class {} x\n", "",
       0, false},
      {"an exception", kStarting, "java.lang.SecurityException: Permission Denial\n", 255, false},
      {"nothing at all, exit 0", "", "", 0, false},
      {"a shell without am", "", "/system/bin/sh: cmd: inaccessible or not found\n", 127, false},
  }));
  const bool direct = GENERATE(true, false);
  INFO(row.name << (direct ? ", by abb" : ", by cmd"));
  Loop loop;
  FakeDevice device(loop, direct ? adbproto::FeatureSet{"shell_v2", "cmd", "abb"}
                                 : adbproto::FeatureSet{"shell_v2", "cmd"});
  for (const char* rung : {"abb:", "shell,v2,raw:"}) {
    device.serve(rung, prints(row.out, row.err, row.status));
  }
  const std::string asks = std::string("abb:activity") + '\0' + "get-current-user";
  device.serve(asks, prints("0\n", "", 1));
  device.serve("shell,v2,raw:cmd activity 'get-current-user'", prints("0\n"));
  const auto launched = launch(device, loop);
  CHECK(launched.has_value() == row.started);
  if (!launched) CHECK(launched.error().code() == errc::android_app_launch_failed);
}
