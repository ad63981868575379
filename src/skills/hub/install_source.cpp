#include <algorithm>

#include "base/files.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/hub/errc.hpp"
#include "skills/hub/install.hpp"
#include "skills/hub/local_skill.hpp"
#include "skills/hub/staged_skill.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSkillFile = "SKILL.md";

// A hub's note in a stranger's files would be taken for our own.
void remove_markers(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : entries_in(folder, ignored)) {
    if (is_marker(entry.path().filename().string())) fs::remove_all(entry.path(), ignored);
  }
}

Result<fs::path> put_in_place(const Places& places, const std::string& slug, StagedSkill staged,
                              const LocalSkill& before, const std::stop_token& stop) {
  TRY(const FileHandle alone, lock_made_folder(places.skills));
  const fs::path target = places.skills / slug;
  TRY(const LocalSkill now, read_local_skill(target, stop));
  if (!now.is_same_as(before)) {
    return local_changes(target.string() + " has changed meanwhile; nothing was touched", target);
  }
  TRY(LockChange lock, LockChange::begin(places));
  const auto old =
      before.kind == LocalSkill::Kind::absent ? StagedSkill::Old::none : StagedSkill::Old::replaced;
  TRY(fs::path kept, staged.put_in_place(old, [](const fs::path&) { return false; }));
  TRY_VOID(lock.remove(slug));
  staged.finish();
  return kept;
}

}  // namespace

Result<void> copy_skill(const fs::path& from, const fs::path& to, const std::stop_token& stop) {
  TRY(const LocalSkill local, read_local_skill(from, stop));
  if (local.unread) return std::unexpected(*local.unread);
  std::error_code error;
  fs::create_directories(to, error);
  for (const HashedFile& file : local.files) {
    if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
    fs::create_directories((to / file.path).parent_path(), error);
    if (!error) fs::copy_file(from / file.path, to / file.path, error);
    if (error) return cannot_write(to / file.path, error.value());
  }
  return ok();
}

Result<Installed> install_source(const Places& places, const SourceRequest& request,
                                 const FillFolder& fill, const std::stop_token& stop) {
  TRY_VOID(tidy_up(places));
  const fs::path target = places.skills / request.slug;
  TRY(const LocalSkill before, read_local_skill(target, stop));
  if (before.kind != LocalSkill::Kind::absent && request.force == Force::no) {
    return local_changes("Already installed: " + target.string() + " (use --force)", target);
  }
  TRY(StagedSkill staged, begin_staging(places, {{}, request.slug}));
  Installed done{.slug = request.slug, .path = target};
  TRY(done.version, fill(staged.fresh(), staged.scratch(), stop));
  remove_markers(staged.fresh());
  if (!is_plain_file(staged.fresh() / kSkillFile)) {
    return fail(errc::agent_skill_invalid, "there is no " + std::string(kSkillFile) +
                                               " at the top of the source; nothing was installed");
  }
  TRY(done.kept, put_in_place(places, request.slug, std::move(staged), before, stop));
  return done;
}

}  // namespace clawperator::hub
