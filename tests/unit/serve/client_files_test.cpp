#include "runtime/serve/client_files.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <thread>

#include "runtime/daemon/errc.hpp"
#include "runtime/serve/errc.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace clawperator::serve;
using namespace adbproto::testing;
namespace fs = std::filesystem;

namespace {

// A folder for clients, beside another one.
struct Folders {
  TempFolder root;
  fs::path given = root.path() / "given";
  fs::path other = root.path() / "other";

  Folders() {
    fs::create_directories(given / "sub");
    fs::create_directory(other);
    for (const fs::path& folder : {given, given / "sub", other}) {
      fs::permissions(folder, fs::perms::owner_all);
    }
  }
  [[nodiscard]] std::unique_ptr<ClientFiles> open() const {
    return ClientFiles::open(given).value();
  }
};

Errc refused(const Result<void>& result) {
  return result ? Errc(errc::unknown) : result.error().code();
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

TEST_CASE("client files: a name is relative to the folder, or lies below it", "[serve]") {
  using Case = std::pair<std::string_view, std::string_view>;
  for (const auto& [name, below] : {Case{"a", "a"},
                                    {"a/b.png", "a/b.png"},
                                    {"./a//./b", "a/b"},
                                    {"/f/a", "a"},
                                    {"/f//./a", "a"},
                                    {"...", "..."},
                                    {"..a/b..", "..a/b.."},
                                    {"-", "-"},
                                    {"~/a", "~/a"},
                                    {"a\\..\\b", "a\\..\\b"}}) {
    INFO(name);
    CHECK(name_below("/f", name) == std::string(below));
  }
  CHECK(name_below("/", "/etc/a") == "etc/a");
  for (const std::string_view name :
       {"",     ".",      "/",  "//",  "./",   "a/",      "a/.", "a//", "a/./",  "..",    "../a",
        "a/..", "a/../b", "/f", "/f/", "/f/.", "/f/../a", "/a",  "/fa", "/f2/a", "//f/a", "/F/a"}) {
    INFO(name);
    const auto below = name_below("/f", name);
    REQUIRE_FALSE(below);
    CHECK(below.error().code() == errc::file_not_allowed);
  }
  CHECK_FALSE(name_below("/f", std::string_view("a\0b", 3)));
}

TEST_CASE("client files: what takes a place between the judgement and the write stays",
          "[serve][S2]") {
  const Folders at;
  const auto files = at.open();
  const std::string in_sub = files->judge("sub/a").value();
  const std::string plain = files->judge("b").value();
  CHECK(plain == at.given / "b");
  fs::remove(at.given / "sub");
  fs::create_directory_symlink(at.other, at.given / "sub");
  CHECK(refused(files->write(in_sub, "bytes")) == errc::file_not_allowed);
  fs::create_symlink(at.other / "b", at.given / "b");
  CHECK(refused(files->write(plain, "bytes")) == errc::file_not_allowed);
  CHECK(entries(at.other) == 0);
  fs::remove(at.given / "b");
  write_text(at.given / "b", "of the user");
  CHECK(refused(files->write(plain, "bytes")) == errc::file_not_allowed);
  CHECK(file_text(at.given / "b") == "of the user");
  CHECK(entries(at.given) == 2);
  fs::remove(at.given / "b");
  CHECK(files->write(plain, "bytes"));
  CHECK(file_text(at.given / "b") == "bytes");
}

TEST_CASE("client files: another folder of that name gets nothing", "[serve][S2]") {
  const Folders at;
  const auto files = at.open();
  const std::string path = files->judge("a").value();
  fs::rename(at.given, at.root.path() / "moved");
  fs::rename(at.other, at.given);
  CHECK(refused(files->write(path, "bytes")) == errc::file_not_allowed);
  CHECK_FALSE(files->judge("a"));
  CHECK(entries(at.given) == 0);
}

TEST_CASE("client files: one that another program wrote since is no longer ours", "[serve][S2]") {
  const Folders at;
  const auto files = at.open();
  for (const char* text : {"first", "second"}) REQUIRE(files->write("a", text));
  CHECK(file_text(at.given / "a") == "second");
  // The same name and size, as an editor leaves it.
  write_text(at.given / "draft", "SECOND");
  fs::rename(at.given / "draft", at.given / "a");
  CHECK(refused(files->write("a", "third")) == errc::file_not_allowed);
  CHECK(file_text(at.given / "a") == "SECOND");
  REQUIRE(files->write("b", "first"));
  fs::last_write_time(at.given / "b", fs::file_time_type::clock::now() + std::chrono::hours(1));
  CHECK(refused(files->write("b", "third")) == errc::file_not_allowed);
}

TEST_CASE("client files: of many who write one name at once each leaves a whole file", "[serve]") {
  const Folders at;
  const auto files = at.open();
  constexpr std::size_t kSize = 100'000;
  std::array<bool, 4> done{};
  {
    std::vector<std::jthread> writers;
    for (std::size_t i = 0; i < done.size(); ++i) {
      writers.emplace_back([&files, &done, i] {
        const std::string bytes(kSize, static_cast<char>('a' + i));
        for (int round = 0; round < 20; ++round) {
          done[i] =
              files->write("a", bytes).has_value() && files->write("sub/b", bytes).has_value();
          if (!done[i]) return;
        }
      });
    }
  }
  CHECK(done == std::array{true, true, true, true});
  const std::string left = file_text(at.given / "a");
  REQUIRE(left.size() == kSize);
  CHECK(left.find_first_not_of(left.front()) == left.npos);
  CHECK(entries(at.given) == 2);
  CHECK(entries(at.given / "sub") == 1);
}

TEST_CASE("client files: without a folder nothing is allowed, and the flag is named",
          "[serve][S2]") {
  const auto none = ClientFiles::open(std::nullopt).value();
  for (const std::string_view name : {"a", "/tmp/a"}) {
    const auto path = none->judge(name);
    REQUIRE_FALSE(path);
    CHECK(path.error().code() == errc::file_not_allowed);
    CHECK_THAT(path.error().message(), Catch::Contains("--files FOLDER"));
    CHECK_FALSE(none->write(name, "bytes"));
  }
}

TEST_CASE("client files: a folder that others may write to is none", "[serve][S2]") {
  const Folders at;
  for (const mode_t mode : {0700U, 0755U, 0500U}) {
    REQUIRE(::chmod(at.given.c_str(), mode) == 0);
    CHECK(ClientFiles::open(at.given));
  }
  for (const mode_t mode : {0770U, 0702U, 01777U}) {
    REQUIRE(::chmod(at.given.c_str(), mode) == 0);
    const auto files = ClientFiles::open(at.given);
    REQUIRE_FALSE(files);
    CHECK(files.error().code() == errc::serve_failed);
  }
  CHECK_FALSE(ClientFiles::open(at.root.path() / "none"));
  CHECK_FALSE(ClientFiles::open(""));
}
