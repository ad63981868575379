#include "skills/repo/repo.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "runtime/contract/errc.hpp"
#include "skills/repo/validate.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::skills;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

Repo repo_at(const fs::path& root) {
  Repo repo{.registry_path = root / kRegistryName, .root = root};
  repo.registry.skills.push_back({.id = "a.b", .path = "skills/a.b"});
  return repo;
}

}  // namespace

TEST_CASE("repo: a file is one of the repository, also behind a link", "[skills]") {
  const TempFolder folder;
  const fs::path root = folder.path() / "repo";
  put(root / "skills/a.b/run.js", "x");
  put(folder.path() / "outside.js", "x");
  const Repo repo = repo_at(root);
  const Skill& skill = repo.registry.skills[0];
  fs::create_symlink("run.js", root / "skills/a.b/same.js");
  fs::create_symlink(folder.path() / "outside.js", root / "skills/a.b/out.js");
  fs::create_directory_symlink(folder.path(), root / "skills/a.b/up");
  CHECK(file_of(repo, skill, "skills/a.b/run.js") == root / "skills/a.b/run.js");
  CHECK(file_of(repo, skill, "skills/a.b/same.js"));
  CHECK(file_of(repo, skill, "skills/a.b/absent.js"));
  for (const char* path : {"skills/a.b/out.js", "skills/a.b/up/outside.js", "../outside.js",
                           "skills/a.b/../../../outside.js", "/etc/passwd", ""}) {
    CAPTURE(path);
    const auto file = file_of(repo, skill, path);
    REQUIRE_FALSE(file);
    CHECK(file.error().code() == errc::skill_validation_failed);
  }
}

TEST_CASE("repo: a link of the repository's own folder is no way out", "[skills]") {
  const TempFolder folder;
  put(folder.path() / "real/skills/a.b/run.js", "x");
  fs::create_directory_symlink("real", folder.path() / "repo");
  const Repo repo = repo_at(folder.path() / "repo");
  CHECK(file_of(repo, repo.registry.skills[0], "skills/a.b/run.js"));
}
