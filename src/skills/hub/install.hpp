#pragma once
// Brings skills of a hub into the skills' folder, and what is new of them. Each is staged beside
// its place and gets there by one rename; what its user changed is never lost. Blocks.

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
  std::filesystem::path kept{};  // where what was there before is now; empty: nothing was kept
  Moderation moderation = Moderation::none;
};

// hub_local_changes where there is a folder of that name (without `force`), hub_skill_flagged of
// what the hub marks (suspicious: without `force`), hub_skill_not_found, hub_request_failed,
// archive_refused, file_write_failed, execution_conflict_in_flight, cancelled.
Result<Installed> install_skill(const Places& places, const InstallRequest& request,
                                const std::stop_token& stop);

enum class UpdateStatus { updated, up_to_date, pinned, skipped, failed };

struct Update {
  std::string slug{};
  UpdateStatus status = UpdateStatus::failed;
  std::string version{};                  // that is there now; empty: unknown
  std::optional<std::string> previous{};  // that was there before an update
  std::filesystem::path path{};
  std::filesystem::path kept{};
  std::optional<Error> error{};              // of a failed one
  Moderation moderation = Moderation::none;  // of what took its place
};

// One skill, or with an empty slug all of the lock file; then one that fails keeps no other from
// being updated, but a hub that cannot be reached ends it. Errors as above; hub_local_changes: its
// files are those of no version.
Result<std::vector<Update>> update_skills(const Places& places, const InstallRequest& request,
                                          const std::stop_token& stop);

// What the lock file says; a file that is none says nothing. file_unreadable.
Result<std::vector<LockedSkill>> list_skills(const Places& places);

}  // namespace clawperator::hub
