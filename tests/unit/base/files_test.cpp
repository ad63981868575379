#include "base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace base;
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
extern "C" int fsync(int fd) {
  if (!Disk::on_sync) return static_cast<int>(::syscall(SYS_fsync, fd));
  errno = Disk::on_sync();
  return errno == 0 ? 0 : -1;
}

TEST_CASE("files: written whole, with their folders, and read back", "[base]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "a/b/file.json";
  const std::string text = std::string("with\0NUL", 8) + std::string(100'000, 'x');
  REQUIRE(write_file_atomically(path, text));
  CHECK(read_file(path, 200'000) == text);
  REQUIRE(write_file_atomically(path, "shorter"));
  CHECK(read_file(path, 7) == "shorter");
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), {}) == 1);
}

TEST_CASE("files: what is too long, absent or a folder is an error that names it", "[base]") {
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

TEST_CASE("files: a failed write leaves nothing behind", "[base]") {
  const TempFolder folder;
  const auto absent =
      write_file_atomically(folder.path() / "none/file", "x", ParentFolder::required);
  REQUIRE_FALSE(absent);
  CHECK(absent.error().code() == errc::io);
  fs::create_directories(folder.path() / "taken/inside");
  CHECK_FALSE(write_file_atomically(folder.path() / "taken", "x"));
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("files: what must outlast a power cut is on the disk before it takes its name",
          "[base][F33][S9]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "targets.json";
  write_text(path, "old");
  std::string name_had;  // at the moment of fsync
  const Disk disk([&] {
    name_had += file_text(path) + ";";
    return 0;
  });
  REQUIRE(write_file_atomically(path, "new", ParentFolder::required, Durable::yes));
  CHECK(name_had == "old;new;");  // the file, and then the folder that names it
  CHECK(file_text(path) == "new");
  REQUIRE(write_file_atomically(path, "newer"));
  CHECK(name_had == "old;new;");  // only where that was requested
}

TEST_CASE("files: a disk that fails leaves the old file, and nothing beside it", "[base][F33]") {
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

TEST_CASE("files: a file system without that flag is no failure", "[base][F33]") {
  const TempFolder folder;
  const Disk disk([] { return EINVAL; });
  REQUIRE(
      write_file_atomically(folder.path() / "file", "new", ParentFolder::required, Durable::yes));
}

TEST_CASE("files: nothing that lies about the folder is written through", "[base][F24]") {
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

TEST_CASE("files: what is behind links, also where nothing is there yet", "[base]") {
  const TempFolder folder;
  const auto at = [&folder](const char* name) { return folder.path() / name; };
  fs::create_directory(at("in"));
  fs::create_symlink("in/next", at("first"));
  fs::create_symlink("../target", at("in/next"));
  fs::create_symlink("loop", at("loop"));
  CHECK(file_behind(at("plain")) == at("plain"));
  CHECK(file_behind(at("first")) == at("target"));
  CHECK(file_behind(at("loop")).error().code() == errc::file_write_failed);
  fs::create_directories(at("real/deep"));
  fs::create_directory_symlink("real/deep", at("short"));
  fs::create_symlink("../kept", at("real/deep/config"));
  CHECK(file_behind(at("short/config")) == at("real/kept"));
}

TEST_CASE("files: everything below a folder, and not what links lead to", "[base]") {
  const TempFolder folder;
  const auto at = [&folder](const char* name) { return folder.path() / name; };
  fs::create_directories(at("a/b"));
  write_text(at("a/b/file"), "");
  fs::create_symlink("b", at("a/link"));
  const auto found = entries_below(at("a"));
  REQUIRE(found);
  std::map<std::string, bool> folders;
  for (const EntryBelow& each : *found) folders.emplace(each.path, each.is_folder);
  CHECK(folders == std::map<std::string, bool>{{"b", true}, {"b/file", false}, {"link", false}});
  CHECK(entries_below(at("nowhere")).error().code() == errc::io);
}

TEST_CASE("files: a draft that a killed process left is removed by the next write there",
          "[base][S9]") {
  const TempFolder folder;
  const auto at = [&folder](const char* name) { return folder.path() / name; };
  write_text(at(".clawperator-123.part"), "a secret");
  write_text(at("victim"), "untouched");
  fs::create_symlink(at("victim"), at(".clawperator-7.part"));
  for (const char* name : {".clawperator-x1.part", ".clawperator-.part", ".clawperator-1.partly",
                           "clawperator-1.part", ".clawperator-1.part.txt"}) {
    write_text(at(name), "not ours");
  }
  fs::create_directory(at(".clawperator-9.part"));
  // Another process writes this one, whose lock this descriptor has as that one would.
  write_text(at(".clawperator-45.part"), "half");
  const FileHandle other(::open(at(".clawperator-45.part").c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(::flock(other.get(), LOCK_EX | LOCK_NB) == 0);
  REQUIRE(write_file_atomically(at("file"), "new"));
  CHECK_FALSE(fs::exists(at(".clawperator-123.part")));
  CHECK(file_text(at(".clawperator-45.part")) == "half");
  CHECK(file_text(at("victim")) == "untouched");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 10);
}

TEST_CASE("files: a draft that is open is not removed", "[base][S9]") {
  const TempFolder folder;
  const FileHandle in(::open(folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::string name;
  const FileHandle draft = create_draft(in.get(), 0600, &name);
  REQUIRE(draft.is_open());
  const FileHandle other(::openat(in.get(), name.c_str(), O_RDONLY | O_CLOEXEC));
  CHECK(::flock(other.get(), LOCK_EX | LOCK_NB) != 0);
}

TEST_CASE("files: what is damaged is kept under another name, the last three", "[base][S12]") {
  const TempFolder folder;
  const fs::path path = folder.path() / "targets.json";
  std::string last;
  for (int number = 0; number < 6; ++number) {
    write_text(path, std::to_string(number));
    const auto aside = keep_damaged(path);
    REQUIRE(aside);
    CHECK(aside->starts_with("targets.json.damaged-2"));
    CHECK_FALSE(fs::exists(path));
    last = *aside;
  }
  CHECK(file_text(folder.path() / last) == "5");
  CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 3);
  CHECK(keep_damaged(path).error().code() == errc::io);
}
