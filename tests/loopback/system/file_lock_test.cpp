#include "base/system/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;

TEST_CASE("folder lock: who may only read the folder cannot hold it up", "[client][F21]") {
  const TempFolder folder;
  const FileHandle stranger(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY));
  REQUIRE(::flock(stranger.get(), LOCK_EX) == 0);
  REQUIRE(run_task(lock_folder(folder.path())));
  struct stat status{};
  REQUIRE(::stat(folder.file(kFolderLockName).c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
}

TEST_CASE("folder lock: one at a time, the next when that one is done", "[client][F21]") {
  ManualTime time;
  Loop loop;
  const TempFolder folder;
  auto held = loop.run(lock_folder(folder.path() / "new"));
  REQUIRE(held);
  auto waiting = loop.start(lock_folder(folder.path() / "new"));
  time.advance(loop, 1s);
  CHECK_FALSE(waiting->done());
  held->reset();
  CHECK(time.finish(loop, waiting));
}

TEST_CASE("folder lock: it is not waited for without end, and waiting can be stopped",
          "[client][F21]") {
  ManualTime time;
  Loop loop;
  const TempFolder folder;
  const auto held = loop.run(lock_folder(folder.path()));
  REQUIRE(held);
  const auto late = time.run(loop, lock_folder(folder.path()));
  REQUIRE_FALSE(late);
  CHECK(late.error().code() == errc::deadline_exceeded);
  CHECK_THAT(late.error().message(), Catch::Contains(folder.file(kFolderLockName)));
  auto waiting = loop.start(lock_folder(folder.path()));
  loop.settle();
  CHECK_FALSE(waiting->done());
  waiting->cancel();
  loop.settle();
  CHECK(waiting->done());
}

TEST_CASE("folder lock: a link in its place is not followed", "[client][F21]") {
  const TempFolder folder;
  std::filesystem::create_symlink(folder.file("elsewhere"), folder.file(kFolderLockName));
  CHECK(run_task(lock_folder(folder.path())).error().code() == errc::io);
  CHECK_FALSE(std::filesystem::exists(folder.file("elsewhere")));
}
