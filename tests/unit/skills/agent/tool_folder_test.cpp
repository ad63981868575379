#include "skills/agent/download_tool.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "base/system/errc.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::agent_skills;
namespace fs = std::filesystem;

namespace {

Errc code_of(const Result<void>& result) {
  REQUIRE_FALSE(result);
  return result.error().code();
}

}  // namespace

TEST_CASE("tool folder: what is staged goes beside what is there", "[install]") {
  const TempFolder state;
  const fs::path tool = state.path() / "tools/k";
  write_text(tool / "t/bin/run", "old");
  write_text(tool / "t/mine", "kept");
  auto staging = ToolStaging::open(state.path(), "k");
  REQUIRE(staging);
  write_text(staging->path() / "files/bin/run", "new");
  write_text(staging->path() / "files/bin/more/x", "x");
  fs::create_directory(staging->path() / "files/empty");
  CHECK(staging->check_target("t"));
  CHECK(staging->put_in_place("files", "t"));
  CHECK(file_text(tool / "t/bin/run") == "new");
  CHECK(file_text(tool / "t/bin/more/x") == "x");
  CHECK(file_text(tool / "t/mine") == "kept");
  CHECK(fs::is_directory(tool / "t/empty"));
}

TEST_CASE("tool folder: one at a time, and what a killed one left is gone", "[install]") {
  const TempFolder state;
  {
    auto first = ToolStaging::open(state.path(), "k");
    REQUIRE(first);
    const auto second = ToolStaging::open(state.path(), "k");
    REQUIRE_FALSE(second);
    CHECK(second.error().code() == errc::execution_conflict_in_flight);
    CHECK(ToolStaging::open(state.path(), "other"));
  }
  auto again = ToolStaging::open(state.path(), "k");
  REQUIRE(again);
  const fs::path left = again->path() / "left/by/somebody";
  write_text(left, "x");
  auto gone = ToolStaging(*std::move(again));
  {
    const auto ends = ToolStaging(std::move(gone));
  }
  CHECK_FALSE(fs::exists(left));
  write_text(left, "x");
  REQUIRE(ToolStaging::open(state.path(), "k"));
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("tool folder: no link is followed from the skill's folder down", "[install]") {
  const TempFolder state;
  const TempFolder elsewhere;
  const auto prepared = [&state] {
    auto staging = ToolStaging::open(state.path(), "k");
    REQUIRE(staging);
    write_text(staging->path() / "files/a/x", "new");
    return staging;
  };
  fs::create_directory_symlink(elsewhere.path(), state.path() / "linked");
  fs::create_directories(state.path() / "tools");
  SECTION("the skill's folder") {
    fs::create_directory_symlink(elsewhere.path(), state.path() / "tools/k");
    const auto staging = prepared();
    CHECK(code_of(staging->check_target("")) == errc::file_write_failed);
    CHECK(code_of(staging->check_target("t/u")) == errc::file_write_failed);
    CHECK(code_of(staging->put_in_place("files", "")) == errc::file_write_failed);
  }
  SECTION("the target") {
    fs::create_directories(state.path() / "tools/k");
    fs::create_directory_symlink(elsewhere.path(), state.path() / "tools/k/t");
    const auto staging = prepared();
    CHECK(staging->check_target(""));
    CHECK(code_of(staging->check_target("t")) == errc::file_write_failed);
    CHECK(code_of(staging->check_target("t/u")) == errc::file_write_failed);
    CHECK(code_of(staging->put_in_place("files", "t")) == errc::file_write_failed);
  }
  SECTION("a folder that is to be filled") {
    fs::create_directories(state.path() / "tools/k");
    fs::create_directory_symlink(elsewhere.path(), state.path() / "tools/k/a");
    CHECK(code_of(prepared()->put_in_place("files", "")) == errc::file_write_failed);
  }
  CHECK(fs::is_empty(elsewhere.path()));
}

TEST_CASE("tool folder: a link where a file goes is replaced, not followed", "[install]") {
  const TempFolder state;
  write_text(state.path() / "victim", "precious");
  fs::create_directories(state.path() / "tools/k");
  fs::create_symlink("../../victim", state.path() / "tools/k/x");
  auto staging = ToolStaging::open(state.path(), "k");
  REQUIRE(staging);
  write_text(staging->path() / "files/x", "new");
  CHECK(staging->put_in_place("files", ""));
  CHECK(file_text(state.path() / "victim") == "precious");
  CHECK(fs::is_regular_file(fs::symlink_status(state.path() / "tools/k/x")));
  CHECK(file_text(state.path() / "tools/k/x") == "new");
}

TEST_CASE("tool folder: where a folder and a file have one name nothing is moved", "[install]") {
  const TempFolder state;
  const fs::path tool = state.path() / "tools/k";
  write_text(tool / "a", "old");
  write_text(tool / "z/file", "old");
  auto staging = ToolStaging::open(state.path(), "k");
  REQUIRE(staging);
  SECTION("a file where a folder stands") { write_text(staging->path() / "files/z", "new"); }
  SECTION("a folder where a file stands") { write_text(staging->path() / "files/z/file/x", "new"); }
  write_text(staging->path() / "files/a", "new");
  CHECK(code_of(staging->put_in_place("files", "")) == errc::file_write_failed);
  CHECK(file_text(tool / "a") == "old");
  CHECK(file_text(tool / "z/file") == "old");
}
