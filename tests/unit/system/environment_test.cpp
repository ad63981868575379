#include "base/system/environment.hpp"
#include "base/files.hpp"
#include "base/system/output_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/manual_time.hpp"
#include "support/print_result.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace adbproto;
namespace fs = std::filesystem;

TEST_CASE("environment: an empty variable counts as unset", "[device]") {
  const Variable set("CLAWPERATOR_TEST_VARIABLE", "x");
  CHECK(environment_variable("CLAWPERATOR_TEST_VARIABLE") == "x");
  const Variable empty("CLAWPERATOR_TEST_VARIABLE", "");
  CHECK_FALSE(environment_variable("CLAWPERATOR_TEST_VARIABLE"));
  const Variable none("CLAWPERATOR_TEST_VARIABLE", std::nullopt);
  CHECK_FALSE(environment_variable("CLAWPERATOR_TEST_VARIABLE"));
}

TEST_CASE("environment: folders of state and cache follow HOME and XDG", "[device]") {
  const Variable home("HOME", "/home/me");
  {
    const Variable cache("XDG_CACHE_HOME", std::nullopt);
    CHECK(state_folder() == "/home/me/.clawperator");
    CHECK(cache_folder() == "/home/me/.cache/clawperator");
  }
  const Variable cache("XDG_CACHE_HOME", "/cache");
  CHECK(cache_folder() == "/cache/clawperator");
  const Variable homeless("HOME", std::nullopt);
  const Variable no_cache("XDG_CACHE_HOME", std::nullopt);
  // As the system has it, where HOME is unset.
  const passwd* user = ::getpwuid(::getuid());
  const fs::path there = user != nullptr ? fs::path(user->pw_dir) : fs::path();
  CHECK(home_folder() == there);
  CHECK(state_folder() == there / ".clawperator");
  CHECK(cache_folder() == there / ".cache/clawperator");
}

TEST_CASE("files: foreign texts become names that cannot leave their folder", "[device]") {
  CHECK(file_name_of("emulator-5554") == "emulator-5554");
  CHECK(file_name_of("R58M_12.a") == "R58M_12.a");
  const std::string text = GENERATE("../../etc/passwd", "..", ".", "", "a/b", "192.168.1.5:5555",
                                    "adb-XY (2)._adb", "sérial", "a\nb");
  INFO(text);
  const std::string name = file_name_of(text);
  CHECK_FALSE(name.empty());
  CHECK(name.front() != '.');
  CHECK(
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") ==
      std::string::npos);
  CHECK(file_name_of(std::string(300, 'x')).size() <= 130);
}

TEST_CASE("files: different texts have different names", "[device]") {
  CHECK(file_name_of("a:b") != file_name_of("a/b"));
  CHECK(file_name_of(std::string(300, 'x')) != file_name_of(std::string(301, 'x')));
  CHECK(file_name_of("a:b") != file_name_of(file_name_of("a:b").substr(1)));
}

TEST_CASE("output: a regular file is replaced whole, through a link too", "[device]") {
  const TempFolder folder;
  const std::string file = folder.file("real");
  std::filesystem::create_symlink(file, folder.file("link"));
  REQUIRE(run_task(write_output(file, "one")));
  REQUIRE(run_task(write_output(folder.file("link"), "two")));
  CHECK(std::filesystem::is_symlink(folder.file("link")));
  CHECK(read_file(file, 100) == "two");
}

TEST_CASE("output: a pipe and a device stay what they are", "[device]") {
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto without_reader = run_task(write_output(pipe, "x"));
  REQUIRE_FALSE(without_reader);
  CHECK(without_reader.error().code() == errc::io);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  CHECK(run_task(write_output(pipe, "picture")));
  char got[16] = {};
  CHECK(::read(reader, got, sizeof got) == 7);
  ::close(reader);
  CHECK(std::filesystem::is_fifo(pipe));
  CHECK(run_task(write_output("/dev/null", "x")));
  CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("output: a folder that does not exist is not created", "[device]") {
  const TempFolder folder;
  CHECK_FALSE(run_task(write_output(folder.file("none") + "/x.png", "x")));
  CHECK_FALSE(std::filesystem::exists(folder.file("none")));
}

namespace {

mode_t mode_of(const std::string& path) {
  struct stat status{};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("files: a new one is its user's alone, an old one keeps its mode", "[device][F24]") {
  const TempFolder folder;
  const std::string path = folder.file("picture.png");
  REQUIRE(run_task(write_output(path, "one")));
  CHECK(mode_of(path) == 0600);
  for (const mode_t mode : {0600U, 0644U, 0640U, 0444U}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    REQUIRE(run_task(write_output(path, "two")));
    CHECK(mode_of(path) == mode);
    REQUIRE(write_file_atomically(path, "three", ParentFolder::required, Durable::yes));
    CHECK(mode_of(path) == mode);
  }
}

TEST_CASE("output: a reader that stalls delays no other, and not for ever", "[device][F25]") {
  ManualTime time;
  Loop loop;
  const TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  const std::string picture(1 << 20, 'x');
  auto stopped = loop.start(write_output(pipe, picture));
  loop.settle();
  CHECK_FALSE(stopped->done());
  stopped->cancel();
  loop.settle();
  CHECK(stopped->done());
  const auto late = time.run(loop, write_output(pipe, picture));
  REQUIRE_FALSE(late);
  CHECK(late.error().message() == pipe + " has no reader");
  CHECK(time.elapsed() >= std::chrono::seconds(30));
  ::close(reader);
}
