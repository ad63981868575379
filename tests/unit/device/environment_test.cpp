#include "runtime/device/environment.hpp"
#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

namespace {

// What fsync does while it lives: 0, or an error number.
class Disk {
 public:
  explicit Disk(std::function<int()> sync) { on_sync = std::move(sync); }
  ~Disk() { on_sync = nullptr; }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  static inline std::function<int()> on_sync;
};

}  // namespace

// In this program it stands before the C library's.
extern "C" int fsync(int file) {
  if (!Disk::on_sync) return static_cast<int>(::syscall(SYS_fsync, file));
  errno = Disk::on_sync();
  return errno == 0 ? 0 : -1;
}

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
  CHECK(state_folder().empty());
  CHECK(cache_folder().empty());
}

TEST_CASE("environment: the runtime folder is XDG's, else a private one under the temp folder",
          "[device]") {
  const TempFolder folder;
  const Variable temp("TMPDIR", folder.path().string());
  {
    const Variable runtime("XDG_RUNTIME_DIR", folder.path().string());
    CHECK(runtime_folder() == folder.path());
  }
  const Variable runtime("XDG_RUNTIME_DIR", GENERATE(std::optional<std::string>(),
                                                     std::optional<std::string>("/nowhere")));
  const auto made = runtime_folder();
  REQUIRE(made);
  CHECK(*made == folder.path() / ("clawperator-" + std::to_string(::getuid())));
  struct stat found{};
  REQUIRE(::stat(made->c_str(), &found) == 0);
  CHECK((found.st_mode & 0777) == 0700);
  CHECK(runtime_folder() == *made);
}

TEST_CASE("environment: a runtime folder that others can enter is refused", "[device]") {
  const TempFolder folder;
  const Variable temp("TMPDIR", folder.path().string());
  const Variable runtime("XDG_RUNTIME_DIR", std::nullopt);
  const fs::path path = folder.path() / ("clawperator-" + std::to_string(::getuid()));
  const bool link = GENERATE(false, true);
  if (link) {
    fs::create_directory(folder.path() / "elsewhere");
    fs::create_directory_symlink(folder.path() / "elsewhere", path);
  } else {
    fs::create_directory(path);
    fs::permissions(path, fs::perms(0755));
  }
  const auto refused = runtime_folder();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::io);
  CHECK_THAT(refused.error().message(), Catch::Contains(path.string()));
}

TEST_CASE("files: written whole, with their folders, and read back", "[device]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "a/b/file.json";
  const std::string text = std::string("with\0NUL", 8) + std::string(100'000, 'x');
  REQUIRE(write_file_atomically(path, text));
  CHECK(read_file(path, 200'000) == text);
  REQUIRE(write_file_atomically(path, "shorter"));
  CHECK(read_file(path, 7) == "shorter");
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("files: what is too long, absent or a folder is an error that names it", "[device]") {
  const TempFolder folder;
  write_text(folder.path() / "file", "12345678");
  CHECK(read_file(folder.path() / "file", 7).error().code() == errc::limit);
  for (const fs::path& path : {folder.path() / "none", folder.path()}) {
    const auto text = read_file(path, 10);
    REQUIRE_FALSE(text);
    CHECK(text.error().code() == errc::io);
    CHECK_THAT(text.error().message(), Catch::Contains(path.string()));
  }
}

TEST_CASE("files: a failed write leaves nothing behind", "[device]") {
  const TempFolder folder;
  const auto absent =
      write_file_atomically(folder.path() / "none/file", "x", ParentFolder::required);
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::io);
  fs::create_directories(folder.path() / "taken/inside");
  CHECK_FALSE(write_file_atomically(folder.path() / "taken", "x"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
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
  const auto nobody_reads = run_task(write_output(pipe, "x"));
  REQUIRE_FALSE(nobody_reads);
  CHECK(nobody_reads.error().code() == errc::io);
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

TEST_CASE("files: what must outlast a power cut is on the disk before it takes its name",
          "[device][F33]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "targets.json";
  write_text(path, "old");
  std::string name_had;  // at the moment of fsync
  const Disk disk([&] {
    name_had += file_text(path) + ";";
    return 0;
  });
  REQUIRE(write_file_atomically(path, "new", ParentFolder::required, Durable::yes));
  CHECK(name_had == "old;");
  CHECK(file_text(path) == "new");
  REQUIRE(write_file_atomically(path, "newer"));
  CHECK(name_had == "old;");  // only where that was asked for
}

TEST_CASE("files: a disk that fails leaves the old file, and nothing beside it", "[device][F33]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "targets.json";
  write_text(path, "old");
  const Disk disk([] { return EIO; });
  const auto written = write_file_atomically(path, "new", ParentFolder::required, Durable::yes);
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().message(), Catch::Contains("Input/output error"));
  CHECK(file_text(path) == "old");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("files: a file system that cannot be asked for it is no failure", "[device][F33]") {
  const TempFolder folder;
  const Disk disk([] { return EINVAL; });
  REQUIRE(
      write_file_atomically(folder.path() / "file", "new", ParentFolder::required, Durable::yes));
}

TEST_CASE("files: nothing that lies about the folder is written through", "[device][F24]") {
  const TempFolder folder;
  write_text(folder.path() / "victim", "untouched");
  fs::create_directory(folder.path() / "shared");
  const fs::path path = folder.path() / "shared/file";
  // What could be guessed: our number, and what comes after it.
  for (const char* end : {".part", ".tmp", ""}) {
    const std::string guess = path.string() + "." + std::to_string(::getpid()) + end;
    fs::create_symlink(folder.path() / "victim", guess);
  }
  REQUIRE(write_file_atomically(path, "new"));
  CHECK(file_text(path) == "new");
  CHECK(file_text(folder.path() / "victim") == "untouched");
  CHECK_FALSE(fs::is_symlink(path));
}

TEST_CASE("output: a reader that stalls holds up nobody else, and not for ever", "[device][F25]") {
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
  CHECK(late.error().message() == "nobody reads " + pipe);
  CHECK(time.elapsed() >= std::chrono::seconds(30));
  ::close(reader);
}
