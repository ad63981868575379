#include "skills/phone/repo.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "skills/phone/rules/errc.hpp"
#include "skills/phone/validate.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::phone_skills;
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

TEST_CASE("repo: indexes are written into no folder but the repository's own", "[skills]") {
  const TempFolder folder;
  put(folder.path() / "victim/precious.txt", "mine");
  put(folder.path() / "victim/manifest.json", "mine");
  const fs::path root = folder.path() / "repo";
  put(root / kRegistryName, R"({"skills":[]})");
  Repo repo{.registry_path = root / kRegistryName, .root = root};
  fs::create_directory_symlink(folder.path() / "victim", root / "skills/generated");
  const auto refused = write_indexes(repo, make_indexes(repo.registry));
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code() == errc::skills_index_stale);
  CHECK(file_text(folder.path() / "victim/precious.txt") == "mine");
  CHECK(file_text(folder.path() / "victim/manifest.json") == "mine");
  fs::remove(root / "skills/generated");
  fs::create_directories(root / "skills/generated");
  fs::create_directory_symlink(folder.path() / "victim", root / "skills/generated/by-app");
  CHECK_FALSE(write_indexes(repo, make_indexes(repo.registry)));
}

TEST_CASE("repo: of the generated folder only what may be an index is removed", "[skills]") {
  const TempFolder folder;
  const fs::path root = folder.path();
  put(root / kRegistryName, R"({"skills":[]})");
  const Repo repo{.registry_path = root / kRegistryName, .root = root};
  put(root / "skills/generated/README.md", "mine");
  put(root / "skills/generated/by-app/com.gone.json", "{}");
  CHECK(stale_indexes(repo, make_indexes(repo.registry)).size() == 4);
  REQUIRE(write_indexes(repo, make_indexes(repo.registry)));
  CHECK(file_text(root / "skills/generated/README.md") == "mine");
  CHECK_FALSE(fs::exists(root / "skills/generated/by-app/com.gone.json"));
  CHECK(stale_indexes(repo, make_indexes(repo.registry)).empty());
}

TEST_CASE("repo: a pipe is no file to be read", "[skills]") {
  const TempFolder folder;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  const auto text = read_text(folder.path() / "pipe", 100);
  REQUIRE_FALSE(text);
  CHECK(text.error().code() == errc::registry_read_failed);
}

TEST_CASE("repo: a new skill is not written behind a link out of the repository", "[skills]") {
  const TempFolder folder;
  fs::create_directories(folder.path() / "elsewhere");
  put(folder.path() / "elsewhere/skills-registry.json", R"({"skills":[]})");
  fs::create_directories(folder.path() / "repo");
  fs::create_directory_symlink(folder.path() / "elsewhere", folder.path() / "repo/skills");
  const Variable registry("CLAWPERATOR_SKILLS_REGISTRY",
                          (folder.path() / "repo" / kRegistryName).string());
  const auto created = create_skill({.id = "a.b"});
  REQUIRE_FALSE(created);
  CHECK(created.error().code() == errc::skills_scaffold_failed);
  CHECK_FALSE(fs::exists(folder.path() / "elsewhere/a.b"));
}

TEST_CASE("repo: of a registry that is a link the file behind it is replaced", "[skills]") {
  const TempFolder folder;
  put(folder.path() / "skills/real.json", R"({"skills":[]})");
  fs::create_symlink("real.json", folder.path() / kRegistryName);
  const Variable registry("CLAWPERATOR_SKILLS_REGISTRY", (folder.path() / kRegistryName).string());
  REQUIRE(create_skill({.id = "a.b"}));
  CHECK(fs::is_symlink(folder.path() / kRegistryName));
  CHECK(file_text(folder.path() / "skills/real.json").contains("\"id\": \"a.b\""));
}

TEST_CASE("repo: what a killed `skills new` left goes with the next one", "[skills]") {
  const TempFolder folder;
  put(folder.path() / kRegistryName, R"({"skills":[]})");
  put(folder.path() / "skills/.a.b.0123456789abcdef.part/new/SKILL.md", "half");
  put(folder.path() / "skills/.a.c.0123456789abcdef.part/new/SKILL.md", "another's");
  const Variable registry("CLAWPERATOR_SKILLS_REGISTRY", (folder.path() / kRegistryName).string());
  REQUIRE(create_skill({.id = "a.b"}));
  CHECK(fs::exists(folder.path() / "skills/a.b/SKILL.md"));
  CHECK_FALSE(fs::exists(folder.path() / "skills/.a.b.0123456789abcdef.part"));
  CHECK(fs::exists(folder.path() / "skills/.a.c.0123456789abcdef.part"));
}

TEST_CASE("repo: the first skill of a repository makes its folder of skills", "[skills]") {
  const TempFolder folder;
  put(folder.path() / "registry/registry.json", R"({"skills":[]})");
  const Variable registry("CLAWPERATOR_SKILLS_REGISTRY",
                          (folder.path() / "registry/registry.json").string());
  REQUIRE(create_skill({.id = "a.b"}));
  CHECK(fs::exists(folder.path() / "skills/a.b/SKILL.md"));
}
