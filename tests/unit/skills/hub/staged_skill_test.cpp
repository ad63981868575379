#include "skills/hub/staged_skill.hpp"

#include <catch2/catch.hpp>

#include "skills/hub/errc.hpp"
#include "support/temp_folder.hpp"

using namespace adbproto::testing;
using namespace clawperator;
using namespace clawperator::hub;
namespace fs = std::filesystem;

namespace {

StagedSkill staged_in(const fs::path& skills) {
  auto staged = StagedSkill::begin(skills, "demo");
  REQUIRE(staged);
  write_text(staged->fresh() / "SKILL.md", "new");
  return *std::move(staged);
}

std::size_t count_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("hub staging: the old folder is judged when its name is free") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  write_text(target / "SKILL.md", "old");
  {
    StagedSkill staged = staged_in(folder.path());
    const auto kept =
        staged.put_in_place(StagedSkill::Old::replaced, [&target](const fs::path& old) {
          CHECK(file_text(old / "SKILL.md") == "old");
          CHECK(file_text(target / "SKILL.md") == "new");
          return true;
        });
    REQUIRE(kept);
    CHECK(kept->empty());
    staged.finish();
  }
  CHECK(count_in(folder.path()) == 1);
  {
    StagedSkill staged = staged_in(folder.path());
    const auto kept =
        staged.put_in_place(StagedSkill::Old::replaced, [](const fs::path&) { return false; });
    REQUIRE(kept);
    CHECK(file_text(*kept / "SKILL.md") == "new");
    staged.finish();
  }
  CHECK(count_in(folder.path()) == 2);
}

TEST_CASE("hub staging: what cannot be kept is put back") {
  const TempFolder folder;
  const fs::path target = folder.path() / "demo";
  write_text(target / "SKILL.md", "old");
  {
    StagedSkill staged = staged_in(folder.path());
    const auto kept = staged.put_in_place(StagedSkill::Old::replaced, [&folder](const fs::path&) {
      fs::remove(folder.path() / ".hub-replaced");
      return false;
    });
    REQUIRE_FALSE(kept);
    CHECK(kept.error().code() == errc::file_write_failed);
  }
  CHECK(file_text(target / "SKILL.md") == "old");
  CHECK(count_in(folder.path()) == 1);
}

TEST_CASE("hub staging: a place that is taken stays taken") {
  const TempFolder folder;
  fs::create_directory(folder.path() / "demo");
  {
    StagedSkill staged = staged_in(folder.path());
    const auto kept = staged.put_in_place(StagedSkill::Old::none, {});
    REQUIRE_FALSE(kept);
    CHECK(kept.error().code() == errc::hub_local_changes);
  }
  CHECK(fs::is_empty(folder.path() / "demo"));
  CHECK(count_in(folder.path()) == 1);
}
