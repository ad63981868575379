#pragma once
// Installs skills of a hub into the skills' folder, and updates them. Each is staged beside its
// place and put there by one rename; a user's changes are never lost. Blocks.

#include <filesystem>
#include <stop_token>

#include "skills/hub/answers.hpp"
#include "skills/hub/lock_file.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

enum class Force { no, yes };

struct InstallRequest {
  std::string slug{};     // checked
  std::string version{};  // empty: the latest
  Force force = Force::no;
};

struct Installed {
  std::string slug{};
  std::string version{};
  std::string registry{};
  std::filesystem::path path{};
  // the new place of the earlier content; empty: there was none to keep
  std::filesystem::path kept{};
  Moderation moderation = Moderation::none;
};

// hub_local_changes where a folder of that name exists (without `force`), hub_skill_flagged for a
// skill that the hub marks (suspicious: without `force`), hub_skill_not_found, hub_request_failed,
// archive_refused, file_write_failed, execution_conflict_in_flight, cancelled.
Result<Installed> install_skill(const Places& places, const InstallRequest& request,
                                const std::stop_token& stop);

enum class UpdateStatus { updated, up_to_date, pinned, skipped, failed };

struct Update {
  std::string slug{};
  UpdateStatus status = UpdateStatus::failed;
  std::string version{};                  // the present version; empty: unknown
  std::optional<std::string> previous{};  // the version before an update
  std::filesystem::path path{};
  std::filesystem::path kept{};
  std::optional<Error> error{};              // of a failed update
  Moderation moderation = Moderation::none;  // of the new version
};

// Updates one skill, or with an empty slug all of the lock file. Then a failed one does not stop
// the others, but a hub that cannot be reached does. Errors as above; hub_local_changes: its files
// are those of no version.
Result<std::vector<Update>> update_skills(const Places& places, const InstallRequest& request,
                                          const std::stop_token& stop);

// The content of the lock file; an invalid file counts as empty. file_unreadable.
Result<std::vector<LockedSkill>> list_skills(const Places& places);

}  // namespace clawperator::hub
