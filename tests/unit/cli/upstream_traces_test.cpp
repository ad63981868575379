#include "cli/upstream_traces.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

const UpstreamTrace* find(const std::vector<UpstreamTrace>& traces, std::string_view what) {
  for (const UpstreamTrace& trace : traces) {
    if (trace.what == what) return &trace;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("upstream traces: a home without any has none") {
  const adbproto::testing::TempFolder home;
  CHECK(
      find_upstream_traces({.home = home.path(), .is_running = [](int) { return true; }}).empty());
}

TEST_CASE("upstream traces: variables of the new name, where there is one of ours for it") {
  const adbproto::testing::TempFolder home;
  const auto traces = find_upstream_traces(
      {.home = home.path(),
       .variables = {"ANDROPERATOR_BIN=/x", "CLAWPERATOR_BIN=/y", "ANDROPERATOR_NONE="},
       .is_running = [](int) { return false; }});
  REQUIRE(traces.size() == 2);
  CHECK(traces[0].path == "ANDROPERATOR_BIN");
  CHECK(traces[0].standing == Standing::clash);
  CHECK(traces[0].next == "set CLAWPERATOR_BIN, too");
  CHECK(traces[1].path == "ANDROPERATOR_NONE");
  CHECK(traces[1].standing == Standing::apart);
}

TEST_CASE("upstream traces: a daemon's file with a process, without, and with nonsense") {
  const adbproto::testing::TempFolder home;
  std::filesystem::create_directory(home.path() / ".androperator");
  const auto standing = [&](const char* text, bool runs) {
    std::ofstream(home.path() / ".androperator/daemon-default.pid") << text;
    const auto traces = find_upstream_traces(
        {.home = home.path(), .is_running = [&](int process) { return runs && process == 77; }});
    const UpstreamTrace* daemon = find(traces, "daemon");
    REQUIRE(daemon);
    return daemon->standing;
  };
  CHECK(standing(" 77\n", true) == Standing::clash);
  CHECK(standing("77", false) == Standing::apart);
  CHECK(standing("-77", true) == Standing::apart);
  CHECK(standing("77 78", true) == Standing::apart);
  CHECK(standing("", true) == Standing::apart);
}
