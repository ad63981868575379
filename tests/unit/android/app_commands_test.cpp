#include "runtime/android/chore_commands.hpp"

#include <catch2/catch.hpp>

using namespace clawperator;

TEST_CASE("app commands: the launcher's activity is the last line that names one") {
  const std::string printed =
      "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n";
  CHECK(read_launcher_activity(printed + "com.android.settings/.Settings\n") ==
        "com.android.settings/.Settings");
  CHECK(read_launcher_activity("com.x/com.y.Main$Inner\r\n") == "com.x/com.y.Main$Inner");
  // Several apps, of which a person would have to choose one.
  CHECK_FALSE(
      read_launcher_activity(printed + "android/com.android.internal.app.ResolverActivity\n"));
  CHECK_FALSE(read_launcher_activity("No activity found\n"));
  CHECK_FALSE(read_launcher_activity("Error: java.lang.RuntimeException at a/b\n"));
  CHECK_FALSE(read_launcher_activity(""));
}

TEST_CASE("app commands: the launcher's packages are those of the lines that name an activity") {
  CHECK(read_launcher_packages(
            "2 activities found:\n  Activity #0:\n    priority=0 isDefault=false\n"
            "    com.y/.Main\n  Activity #1:\n    com.x/com.x.A\r\n    com.y/.B\n") ==
        std::vector<std::string>{"com.x", "com.y"});
  CHECK(read_launcher_packages("No activities found\n").empty());
  CHECK(read_launcher_packages("Unknown command: query-activities\n").empty());
}

TEST_CASE("app commands: what am prints decides, on either stream") {
  struct Row {
    std::string_view out, err;
    StartOutcome outcome;
  };
  constexpr std::string_view kStarting = "Starting: Intent { act=android.intent.action.VIEW }\n";
  const std::string shown = std::string(kStarting) +
                            "Status: ok\nLaunchState: COLD\nActivity: com.x/.Main\nTotalTime: "
                            "310\nWaitTime: 312\nComplete\n";
  const std::string timeout = std::string(kStarting) + "Status: timeout\nComplete\n";
  const std::string unresolved =
      std::string(kStarting) +
      "Error: Activity not started, unable to resolve Intent { act=x flg=0x10000000 }\n";
  const Row rows[] = {
      {shown, "", StartOutcome::shown},
      {shown, "Warning: Activity not started, its current task has been brought to the front\n",
       StartOutcome::shown},
      {timeout, "", StartOutcome::started},
      {kStarting, "", StartOutcome::started},
      {unresolved, "", StartOutcome::unresolved},
      {kStarting, "Error: Activity not started, unable to resolve Intent { act=x }\n",
       StartOutcome::unresolved},
      {kStarting, "Error type 3\nError: Activity class {com.x/com.x.No} does not exist.\n",
       StartOutcome::unresolved},
      {kStarting,
       "java.lang.SecurityException: Permission Denial: starting Intent { cmp=com.x/.A } from "
       "null\n",
       StartOutcome::refused},
      {kStarting, "Error: Activity not started, you do not have permission to access it.\n",
       StartOutcome::refused},
      {"cmd: Failure calling service activity: Broken pipe (32)\n", "", StartOutcome::refused},
      {"", "", StartOutcome::refused},
  };
  for (const Row& row : rows) {
    INFO(row.out << '|' << row.err);
    CHECK(read_start(row.out, row.err).outcome == row.outcome);
  }
  const std::string cause =
      "java.lang.SecurityException: Permission Denial: starting Intent { cmp=com.x/.A } from null "
      "(pid=1, uid=2000) not exported from uid 10101";
  const auto thrown = read_start(
      kStarting,
      "\nException occurred while executing 'start':\n" + cause +
          "\n\tat com.android.server.wm.ActivityTaskSupervisor.check(Supervisor.java:1)\n");
  CHECK(thrown.outcome == StartOutcome::refused);
  CHECK(thrown.said == cause);
  CHECK(read_start(kStarting, "Error type 3\nError: Activity class {a/b} does not exist.\n").said ==
        "Error: Activity class {a/b} does not exist.");
}
