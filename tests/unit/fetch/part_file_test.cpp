#include "runtime/fetch/part_file.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <thread>

#include "support/temp_folder.hpp"

using namespace clawperator;
using adbproto::testing::file_text;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
namespace fs = std::filesystem;

namespace {

bool links_work = true;

std::size_t count_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

// In this program it stands before the C library's.
extern "C" int link(const char* from, const char* to) noexcept {
  if (links_work) return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  errno = EPERM;
  return -1;
}

TEST_CASE("part file: a file gets another name at once, with and without hard links") {
  const TempFolder folder;
  const fs::path from = folder.path() / "v2";
  const fs::path path = folder.path() / "latest";
  links_work = GENERATE(true, false);
  write_text(from, "two");
  write_text(path, "one");
  REQUIRE(link_file(from, path));
  CHECK(file_text(path) == "two");
  CHECK(fs::equivalent(from, path) == links_work);
  REQUIRE(link_file(from, path));  // it is the same file already
  CHECK(file_text(path) == "two");
  CHECK(count_in(folder.path()) == 2);
  links_work = true;
}

TEST_CASE("part file: what lies about a folder is not written through by a copy") {
  const TempFolder folder;
  const fs::path path = folder.path() / "latest";
  write_text(folder.path() / "v2", "two");
  write_text(folder.path() / "victim", "untouched");
  const fs::path guess = path.string() + "." + std::to_string(::getpid()) + ".part";
  fs::create_symlink("victim", guess);
  links_work = false;
  REQUIRE(link_file(folder.path() / "v2", path));
  links_work = true;
  CHECK(file_text(folder.path() / "victim") == "untouched");
  CHECK(file_text(path) == "two");
  CHECK(fs::is_symlink(guess));
}

TEST_CASE("part file: two that give one name at the same time do not disturb each other") {
  const TempFolder folder;
  write_text(folder.path() / "v2", "two");
  const auto link_often = [&folder](bool* all) {
    for (int i = 0; i < 1000; ++i) {
      *all = *all && link_file(folder.path() / "v2", folder.path() / "latest").has_value();
    }
  };
  bool one = true;
  bool other = true;
  {
    const std::jthread first(link_often, &one);
    const std::jthread second(link_often, &other);
  }
  CHECK((one && other));
  CHECK(count_in(folder.path()) == 2);
}

TEST_CASE("part file: nothing takes the place of a folder") {
  const TempFolder folder;
  write_text(folder.path() / "v2", "two");
  fs::create_directory(folder.path() / "latest");
  const auto linked = link_file(folder.path() / "v2", folder.path() / "latest");
  REQUIRE_FALSE(linked);
  CHECK(linked.error().code() == errc::file_write_failed);
  CHECK(count_in(folder.path()) == 2);
}
