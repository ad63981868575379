#include "base/async/folder_watch.hpp"

#include <poll.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "support/manual_time.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto;
using namespace adbproto::testing;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

void append(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

bool is_readable(const FolderWatch& watch) {
  pollfd waiting{watch.descriptor(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) == 1;
}

Task<void> change_of(FolderWatch* watch, std::chrono::milliseconds at_most) {
  co_await wait_change(watch, at_most);
  co_return ok();
}

}  // namespace

TEST_CASE("folder watch: readable after a change in the folder, not before") {
  const TempFolder folder;
  FolderWatch watch(folder.path().string());
  CHECK(watch.is_watching());
  CHECK_FALSE(is_readable(watch));
  append(folder.path() / "x.log", "a\n");
  CHECK(is_readable(watch));
  watch.renew();
  CHECK_FALSE(is_readable(watch));
  append(folder.path() / "x.log", "b\n");
  CHECK(is_readable(watch));
  watch.renew();
  fs::remove(folder.path() / "x.log");
  CHECK(is_readable(watch));
}

TEST_CASE("folder watch: a folder that comes later is waited for") {
  const TempFolder folder;
  const fs::path later = folder.path() / "later";
  FolderWatch watch(later.string());
  CHECK(watch.is_watching());
  fs::create_directory(later);
  CHECK(is_readable(watch));
  watch.renew();
  append(later / "x.log", "a\n");
  CHECK(is_readable(watch));
  watch.renew();
  append(folder.path() / "beside", "b\n");  // which concerns it no more
  CHECK_FALSE(is_readable(watch));
}

TEST_CASE("folder watch: without a folder above it no event will come") {
  const TempFolder folder;
  CHECK_FALSE(FolderWatch((folder.path() / "one/two").string()).is_watching());
  CHECK_FALSE(FolderWatch("").is_watching());
}

TEST_CASE("folder watch: waiting ends with the change, or when it lasted long enough") {
  ManualTime time;
  Loop loop;
  const TempFolder folder;
  FolderWatch watch(folder.path().string());
  const auto change = loop.start(change_of(&watch, 1min));
  loop.settle();
  CHECK_FALSE(change->done());
  append(folder.path() / "x", "a");
  loop.settle();
  CHECK(change->done());
  CHECK(time.elapsed() == 0s);
  CHECK_FALSE(is_readable(watch));
  REQUIRE(time.run(loop, change_of(&watch, 1min)));
  CHECK(time.elapsed() >= 1min);
}
