#pragma once
// Installs skills of a hub into the skills' folder, and updates them. Each is staged beside its
// place and put there by one rename; a user's changes are never lost. Blocks.

#include <filesystem>
#include <stop_token>

#include "skills/hub/answers.hpp"
#include "skills/hub/lock_file.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/places.hpp"
#include "skills/hub/staged_skill.hpp"

namespace clawperator::hub {

enum class Force { no, yes };

struct InstallRequest {
  SkillName name{};       // checked; without a slug: all, for an update
  std::string version{};  // empty: the latest
  Force force = Force::no;
};

struct Installed {
  std::string slug{};  // or "@owner/slug"
  std::string version{};
  std::string registry{};
  std::filesystem::path path{};
  // the new place of the earlier content; empty: there was none to keep
  std::filesystem::path kept{};
  Moderation moderation = Moderation::none;
  std::string warning{};  // empty: none
};

// hub_local_changes where a folder of that name exists (without `force`), hub_skill_flagged for a
// skill that the hub marks (suspicious: without `force`), hub_skill_not_found, hub_request_failed,
// archive_refused, file_write_failed, execution_conflict_in_flight, cancelled.
Result<Installed> install_skill(const Places& places, const InstallRequest& request,
                                const std::stop_token& stop);

// Repairs what killed runs have left, and completes the lock file for them.
Result<void> tidy_up(const Places& places);
// A skill is put in place only where the lock file can be written.
Result<StagedSkill> begin_staging(const Places& places, const SkillName& name);
std::unexpected<Error> local_changes(const std::string& message, const std::filesystem::path& path);

// A skill from elsewhere, a folder or a repository. It gets no entry in the lock file, so no update
// replaces it by a hub's skill of the same slug.
struct SourceRequest {
  std::string slug{};  // checked
  Force force = Force::no;
};
// Fills `folder`, which it makes; `scratch` may be made beside it, and is removed. Returns a text
// that names the version, for the answer.
using FillFolder = std::function<Result<std::string>(const std::filesystem::path& folder,
                                                     const std::filesystem::path& scratch,
                                                     const std::stop_token&)>;
// hub_local_changes, agent_skill_invalid (no SKILL.md at its top), errors of `fill`. A folder that
// is replaced is always kept.
Result<Installed> install_source(const Places& places, const SourceRequest& request,
                                 const FillFolder& fill, const std::stop_token& stop);
// Copies the files of a skill's folder that a version of it would have: not hidden and ignored
// ones, no links.
Result<void> copy_skill(const std::filesystem::path& from, const std::filesystem::path& to,
                        const std::stop_token& stop);

enum class UpdateStatus { updated, up_to_date, pinned, failed };

struct Update {
  std::string slug{};
  UpdateStatus status = UpdateStatus::failed;
  std::string version{};                  // the present version; empty: unknown
  std::optional<std::string> previous{};  // the version before an update
  std::filesystem::path path{};
  std::filesystem::path kept{};
  std::optional<Error> error{};              // of a failed update
  Moderation moderation = Moderation::none;  // of the new version
  std::string warning{};                     // about it; empty: none
};

// Updates one skill, or without a slug all of the lock file. Then a failed one does not stop
// the others, but a hub that cannot be reached does. Errors as above; hub_local_changes: its files
// are those of no version.
Result<std::vector<Update>> update_skills(const Places& places, const InstallRequest& request,
                                          const std::stop_token& stop);

// The content of the lock file; an invalid file counts as empty. file_unreadable.
Result<std::vector<LockedSkill>> list_skills(const Places& places);

}  // namespace clawperator::hub
