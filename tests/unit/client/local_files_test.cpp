#include "adbproto/client/local_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "adbproto/client/transfer.hpp"
#include "support/run_task.hpp"
#include "support/temp_folder.hpp"
#include "support/unprivileged.hpp"

using namespace adbproto;
using adbproto::testing::file_text;
using adbproto::testing::Loop;
using adbproto::testing::run_task;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("local tree: files, links, empty ones and folders are found, special files named") {
  TempFolder folder;
  write_text(folder.path() / "t/b", "two");
  write_text(folder.path() / "t/a", "");
  write_text(folder.path() / "t/sub/deep/c", "three");
  fs::create_directories(folder.path() / "t/empty");
  fs::create_symlink("nowhere", folder.path() / "t/link");
  REQUIRE(::mkfifo(folder.file("t/pipe").c_str(), 0644) == 0);

  const auto tree = read_local_tree(folder.file("t/"), "/r").value();
  std::vector<std::string> remote;
  remote.reserve(tree.files.size());
  for (const PushItem& file : tree.files) remote.push_back(file.remote);
  CHECK(remote == std::vector<std::string>{"/r/a", "/r/b", "/r/link", "/r/sub/deep/c"});
  CHECK(tree.files[1].size == 3);
  CHECK(tree.folders == std::vector<std::string>{"/r/empty", "/r/sub", "/r/sub/deep"});
  CHECK(tree.skipped == 1);
  REQUIRE(tree.warnings.size() == 1);
  CHECK(tree.warnings[0] ==
        "skipping special file '" + folder.file("t/pipe") + "' (mode = 0o10644)");
}

TEST_CASE("local tree: a folder that cannot be read is named, all else is there") {
  TempFolder folder;
  fs::permissions(folder.path(), fs::perms(0755));
  for (const char* name : {"t/a", "t/shut/b", "t/blind/c", "t/z/d"}) {
    write_text(folder.path() / name, "x");
  }
  fs::permissions(folder.path() / "t/shut", fs::perms(0));
  fs::permissions(folder.path() / "t/blind",
                  fs::perms(0444));  // names, and no way to what they are
  const auto tree = [&] {
    const adbproto::testing::Unprivileged reader;
    return read_local_tree(folder.file("t"), "/r");
  }();
  fs::permissions(folder.path() / "t/shut", fs::perms(0755));
  fs::permissions(folder.path() / "t/blind", fs::perms(0755));

  REQUIRE(tree);
  REQUIRE(tree->files.size() == 2);
  CHECK(tree->files[0].remote == "/r/a");
  CHECK(tree->files[1].remote == "/r/z/d");
  REQUIRE(tree->unread.size() == 2);
  CHECK(tree->unread[0] ==
        Error(errc::file_unreadable,
              "cannot lstat '" + folder.file("t/blind/c") + "': Permission denied"));
  CHECK(tree->unread[1] == Error(errc::file_unreadable,
                                 "cannot open '" + folder.file("t/shut") + "': Permission denied"));
  CHECK(read_local_tree(folder.file("none"), "/r").error().code() == errc::file_unreadable);
}

TEST_CASE("local files: reading says what it could not read") {
  TempFolder folder;
  CHECK(read_small_file(folder.file("none"), 10, 10).error().code() == errc::file_unreadable);
  write_text(folder.file("f"), "0123456789");
  const std::size_t expected = GENERATE(as<std::size_t>{}, 0, 3, 9, 10, 11, 99);
  const auto content = read_small_file(folder.file("f"), expected, 10).value();
  REQUIRE(content);
  CHECK(as_text(*content) == "0123456789");
  CHECK_FALSE(read_small_file(folder.file("f"), expected, 9).value());
  CHECK_FALSE(read_link_target(folder.file("f")));
}

TEST_CASE("local files: a read that comes short is not the end") {
  // As /proc gives its files: piece by piece, of a size that is not known before.
  int ends[2] = {};
  REQUIRE(::pipe2(ends, O_CLOEXEC | O_DIRECT) == 0);
  const FileHandle reader(ends[0]);
  FileHandle writer(ends[1]);
  const std::string pipe = "/proc/self/fd/" + std::to_string(reader.get());
  for (const std::string_view piece : {"one ", "two ", "three"}) {
    REQUIRE(::write(writer.get(), piece.data(), piece.size()) == ssize_t(piece.size()));
  }
  writer.reset();
  const std::size_t limit = GENERATE(as<std::size_t>{}, 12, 13, 99);
  const auto content = read_small_file(pipe, GENERATE(as<std::size_t>{}, 0, 3, 9), limit).value();
  CHECK(content.has_value() == (limit > 12));
  if (content) CHECK(as_text(*content) == "one two three");
}

TEST_CASE("new file: it appears whole or not at all") {
  TempFolder folder;
  auto target = PullTarget::open(folder.file("t")).value();
  write_text(folder.path() / "t/f", "old");
  {
    auto file = target.create("f").value();
    REQUIRE(file.write(as_bytes("half")));
    CHECK(file_text(folder.path() / "t/f") == "old");
    CHECK(names_in(folder.path() / "t").size() == 2);
  }
  CHECK(names_in(folder.path() / "t") == std::vector<std::string>{"f"});
  auto file = target.create("f").value();
  REQUIRE(file.write(as_bytes("new ")));
  REQUIRE(file.write(as_bytes("content")));
  REQUIRE(file.commit(KeptAttributes{1'700'000'000, 0100750}));
  CHECK(file_text(folder.path() / "t/f") == "new content");
  struct stat status{};
  REQUIRE(::stat(folder.file("t/f").c_str(), &status) == 0);
  CHECK(status.st_mtime == 1'700'000'000);
  CHECK((status.st_mode & 0777 & ~0750u) == 0);
  CHECK(names_in(folder.path() / "t") == std::vector<std::string>{"f"});
}

TEST_CASE("new file: what is not known to be written gets no name") {
  TempFolder folder;
  auto target = PullTarget::open(folder.file("t")).value();
  auto file = std::make_unique<NewFile>(target.create("f").value());
  REQUIRE(file->write(as_bytes("content")));
  // Nothing on a usual disk fails at close(2) but a descriptor that is none.
  const std::string open = folder.file("t/" + names_in(folder.path() / "t").front());
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (fs::read_symlink(entry.path(), gone) != open) continue;
    REQUIRE(::close(std::stoi(entry.path().filename())) == 0);
    break;
  }
  const auto committed = file->commit({});
  REQUIRE_FALSE(committed);
  CHECK(committed.error() == Error(errc::file_write_failed, "cannot write '" + folder.file("t/f") +
                                                                "': Bad file descriptor"));
  file.reset();
  CHECK(names_in(folder.path() / "t").empty());
}

TEST_CASE("new file: the rest of a killed process with our number is no obstacle") {
  TempFolder folder;
  auto target = PullTarget::open(folder.file("t")).value();
  for (int count = 1; count < 100; ++count) {
    write_text(folder.path() / ("t/.pull-" + std::to_string(::getpid()) + "-" +
                                std::to_string(count) + ".part"),
               "left");
  }
  CHECK(target.create("f"));
}

TEST_CASE("pull target: a link in the tree leads nothing out of it") {
  TempFolder folder;
  fs::create_directories(folder.path() / "outside");
  write_text(folder.path() / "outside/victim", "untouched");
  fs::create_directories(folder.path() / "t");
  fs::create_directory_symlink(folder.path() / "outside", folder.path() / "t/sub");
  fs::create_symlink(folder.path() / "outside/victim", folder.path() / "t/f");
  auto target = PullTarget::open(folder.file("t")).value();

  CHECK(target.create("sub/victim").error() ==
        Error(errc::file_write_failed,
              "failed to create directory '" + folder.file("t/sub") + "': it is a link"));
  CHECK_FALSE(target.make_folder("sub/new"));
  auto file = target.create("f").value();
  REQUIRE(file.write(as_bytes("x")));
  REQUIRE(file.commit({}));
  CHECK(file_text(folder.path() / "outside/victim") == "untouched");
  CHECK(names_in(folder.path() / "outside") == std::vector<std::string>{"victim"});
  CHECK_FALSE(fs::is_symlink(folder.path() / "t/f"));
}

TEST_CASE("pull target: the root itself may be reached by a link") {
  TempFolder folder;
  fs::create_directories(folder.path() / "real");
  fs::create_directory_symlink(folder.path() / "real", folder.path() / "t");
  auto target = PullTarget::open(folder.file("t/new")).value();
  REQUIRE(target.make_folder("a/b"));
  CHECK(fs::is_directory(folder.path() / "real/new/a/b"));
}

TEST_CASE("named target: a pipe is written to, a folder that is missing is named") {
  TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const FileHandle reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  NamedSink sink(open_folder_of(pipe).value(), KeepTimes::no);
  const PullItem item{.remote = "/r", .local = pipe};
  REQUIRE(run_task(sink.begin(&item)));
  REQUIRE(run_task(sink.write(as_bytes("through"))));
  REQUIRE(sink.end(item));
  char text[16] = {};
  CHECK(::read(reader.get(), text, sizeof text) == 7);
  CHECK(std::string(text) == "through");

  CHECK(open_folder_of(folder.file("none/x")).error().message() ==
        "cannot create file/directory '" + folder.file("none/x") + "': No such file or directory");
  CHECK(open_folder_of("").error().message() == "cannot create '': No such file or directory");
  CHECK(open_folder_of(folder.file("x/")).error().message() ==
        "cannot create '" + folder.file("x/") + "': Is a directory");
}

TEST_CASE("named target: a pipe whose reader stalls holds up its writer only", "[F25]") {
  TempFolder folder;
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  Loop loop;
  NamedSink sink(open_folder_of(pipe).value(), KeepTimes::no);
  const PullItem item{.remote = "/r", .local = pipe};
  auto begun = loop.start(sink.begin(&item));
  loop.settle();
  CHECK_FALSE(begun->done());  // no program reads yet
  const FileHandle reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  REQUIRE(loop.finish(begun));
  const std::string text(1 << 20, 'x');
  auto written = loop.start(sink.write(as_bytes(text)));
  loop.settle();
  REQUIRE_FALSE(written->done());
  std::string got(text.size(), '\0');
  std::size_t size = 0;
  while (!written->done()) {
    const ssize_t part = ::read(reader.get(), got.data() + size, got.size() - size);
    if (part > 0) size += static_cast<std::size_t>(part);
    loop.settle();
  }
  CHECK(written->result());
  CHECK(size + (1 << 16) >= text.size());

  auto stuck = loop.start(sink.write(as_bytes(text)));
  loop.settle();
  REQUIRE_FALSE(stuck->done());
  stuck->cancel();
  loop.settle();
  CHECK(stuck->done());
}
