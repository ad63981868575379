#include "runtime/host/verbs/app_log.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

namespace {

adbproto::LogEntry says(std::string tag, std::string message) {
  adbproto::LogEntry entry;
  entry.tag = std::move(tag);
  entry.message = std::move(message);
  return entry;
}

}  // namespace

TEST_CASE("package processes: by the columns of ps, whichever there are", "[host]") {
  PackageProcesses toybox("com.x");
  toybox.read_listing(
      "  PID NAME\n    1 init\n 2981 com.x\r\n 3000 com.x:push\n 77 com.xyz\nx com.x\n");
  CHECK(toybox.has(2981));
  CHECK(toybox.has(3000));
  CHECK_FALSE(toybox.has(77));
  CHECK_FALSE(toybox.has(1));
  PackageProcesses toolbox("com.x");
  toolbox.read_listing(
      "USER      PID   PPID  VSIZE  RSS   WCHAN              PC  NAME\n"
      "u0_a118   2981  600   1      1     sys_epoll_ 0000000000 S com.x\n");
  CHECK(toolbox.has(2981));
  PackageProcesses none("com.x");
  none.read_listing("");
  none.read_listing("no heads\n2981 com.x\n");
  CHECK_FALSE(none.has(2981));
}

TEST_CASE("package processes: started later, and numbers that go to others", "[host]") {
  PackageProcesses processes("com.x");
  processes.note(says("ActivityManager", "Start proc 31:com.x/u0a118 for service {com.x/.S}"));
  processes.note(says("ActivityManager", "Start proc 32:com.x:push/u0a118 for broadcast"));
  processes.note(says("Other", "Start proc 33:com.x/u0a118 for broadcast"));
  processes.note(says("ActivityManager", "Start proc x:com.x/u0a118"));
  CHECK(processes.has(31));
  CHECK(processes.has(32));
  CHECK_FALSE(processes.has(33));
  processes.note(says("ActivityManager", "Start proc 31:com.y/u0a119 for broadcast"));
  CHECK_FALSE(processes.has(31));
}
