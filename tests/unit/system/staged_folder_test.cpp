#include "base/system/staged_folder.hpp"

#include <catch2/catch.hpp>
#include <cerrno>

#include "support/temp_folder.hpp"

using namespace base;
using adbproto::testing::file_text;
using adbproto::testing::TempFolder;
using adbproto::testing::write_text;
namespace fs = std::filesystem;

namespace {

StagedFolder filled(const fs::path& target) {
  auto staged = StagedFolder::begin(target);
  REQUIRE(staged);
  CHECK(StagedFolder::target_name(staged->part().filename().string()) ==
        target.filename().string());
  CHECK(staged->part().parent_path() == target.parent_path());
  write_text(staged->fresh() / "file", "new");
  return *std::move(staged);
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("staged folder: it appears whole, and its part folder goes") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  {
    const StagedFolder staged = filled(target);
    CHECK_FALSE(fs::exists(target));
    CHECK(staged.take_free_place() == 0);
    CHECK(file_text(target / "file") == "new");
  }
  CHECK(names_in(folder.path()) == Names{"demo"});
}

TEST_CASE("staged folder: without a place nothing is left of it") {
  const TempFolder folder;
  {
    const StagedFolder staged = filled(folder.path() / "demo");
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("staged folder: a place that is taken stays taken") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  fs::create_directory(target);
  {
    const StagedFolder staged = filled(target);
    CHECK(staged.take_free_place() == EEXIST);
    write_text(target / "mine", "mine");
    CHECK(staged.take_empty_place() == ENOTEMPTY);
    CHECK(names_in(target) == Names{"mine"});
    fs::remove(target / "mine");
    CHECK(staged.take_empty_place() == 0);
  }
  CHECK(names_in(target) == Names{"file"});
  CHECK(names_in(folder.path()) == Names{"demo"});
}

TEST_CASE("staged folder: a link in the place is neither followed nor replaced") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  fs::create_directory(folder.path() / "elsewhere");
  fs::create_directory_symlink("elsewhere", target);
  const StagedFolder staged = filled(target);
  CHECK(staged.take_free_place() == EEXIST);
  CHECK(staged.take_empty_place() == ENOTDIR);
  CHECK(fs::is_symlink(target));
  CHECK(fs::is_empty(folder.path() / "elsewhere"));
}

TEST_CASE("staged folder: what was there is kept until the new one is there, and comes back") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  write_text(target / "file", "old");
  {
    const StagedFolder staged = filled(target);
    const auto away = staged.exchange();
    REQUIRE(away);
    CHECK(file_text(target / "file") == "new");
    CHECK(file_text(*away / "file") == "old");
    REQUIRE(staged.take_back(*away));
    CHECK(file_text(target / "file") == "old");
    CHECK(file_text(staged.fresh() / "file") == "new");
    REQUIRE(staged.exchange());
  }
  CHECK(file_text(target / "file") == "new");
  CHECK(names_in(folder.path()) == Names{"demo"});
}

TEST_CASE("staged folder: a new one that may not stay goes") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  {
    const StagedFolder staged = filled(target);
    CHECK(staged.take_free_place() == 0);
    CHECK(staged.take_back());
  }
  CHECK(names_in(folder.path()).empty());
}

TEST_CASE("staged folder: an exchange that fails leaves all as it was") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  const StagedFolder staged = filled(target);
  const auto away = staged.exchange();  // with nothing
  REQUIRE_FALSE(away);
  CHECK(away.error().code() == errc::file_write_failed);
  CHECK(file_text(staged.fresh() / "file") == "new");
  CHECK_FALSE(fs::exists(target));
}

TEST_CASE("staged folder: what killed processes left of a target goes, and nothing else") {
  const TempFolder folder;
  const auto at = [&folder](const char* name) { return folder.path() / name; };
  const Names kept{".demo.0123456789abcde.part",   ".demo.0123456789abcdeF.part", ".demo.part",
                   ".other.0123456789abcdef.part", "demo.0123456789abcdef.part",  "elsewhere"};
  for (const std::string& name : kept) write_text(at(name.c_str()) / "file", "kept");
  write_text(at(".demo.0123456789abcdef.part") / "new/file", "half");
  fs::create_directory_symlink("elsewhere", at(".demo.00000000000000aa.part"));
  {
    auto left = StagedFolder::begin(at("demo"));
    REQUIRE(left);
    left->leave_part();
  }
  CHECK(names_in(folder.path()).size() == kept.size() + 3);
  StagedFolder::remove_left(at("demo"));
  CHECK(names_in(folder.path()) == kept);
  CHECK(file_text(at("elsewhere") / "file") == "kept");
}

TEST_CASE("staged folder: what a killed process had moved away comes back") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  const fs::path part = folder.path() / ".demo.0123456789abcdef.part";
  write_text(part / "old/file", "old");
  write_text(part / "new/file", "new");
  StagedFolder::remove_left(target);
  CHECK(file_text(target / "file") == "old");
  CHECK(names_in(folder.path()) == Names{"demo"});
  write_text(part / "old/file", "older");  // the new one was in its place
  StagedFolder::remove_left(target);
  CHECK(file_text(target / "file") == "old");
  CHECK(names_in(folder.path()) == Names{"demo"});
}

TEST_CASE("staged folder: what is being filled stays, unless its work was given up") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  const auto filled = StagedFolder::begin(target);
  REQUIRE(filled);
  StagedFolder::remove_left(target);
  CHECK(fs::exists(filled->part()));
  StagedFolder::remove_left(target, StagedFolder::Filled::goes);
  CHECK_FALSE(fs::exists(filled->part()));
}

TEST_CASE("staged folder: no folder to stage in is an error") {
  const TempFolder folder;
  const auto staged = StagedFolder::begin(folder.path() / "none/demo");
  REQUIRE_FALSE(staged);
  CHECK(staged.error().code() == errc::file_write_failed);
}
