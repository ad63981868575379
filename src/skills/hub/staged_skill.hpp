#pragma once
// A skill's folder while it is made, beside those that are in use, and what it takes the place of.
// At every moment the old one or the new one is whole and in its place, whatever ends the process;
// the next run sees what was left and puts it right.
//
//   SKILLS/.<slug>.<16 digits>.part/   base/system/staged_folder, with new/ and old/
//     archive.zip                      what was downloaded
//     inode                            which folder is the new one: from here on it may be in place
//     trash/                           the other one, where it may go

#include <filesystem>

#include "base/error.hpp"
#include "base/system/staged_folder.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// Held until the handle goes: nobody else changes what is directly in `folder`, which is made.
// Waits 5 s for another run; execution_conflict_in_flight then.
Result<FileHandle> lock_made_folder(const std::filesystem::path& folder);

// Of runs that were killed, of which none is at work any more. `finish` gets the slugs whose new
// folder is in place, though their run did not come to say so in the lock file; what it cannot
// finish is left for the next run, as is, with a warning, what cannot be put back. The skills' lock
// is held.
Result<void> recover_skills(const Places& places,
                            const std::function<Result<void>(const std::string& slug)>& finish);

class StagedSkill {
 public:
  static Result<StagedSkill> begin(const std::filesystem::path& skills, const std::string& slug);
  StagedSkill(StagedSkill&&) noexcept = default;
  StagedSkill& operator=(StagedSkill&&) = delete;
  StagedSkill(const StagedSkill&) = delete;
  StagedSkill& operator=(const StagedSkill&) = delete;
  ~StagedSkill();  // with all that is left in it

  [[nodiscard]] std::filesystem::path archive() const { return folder_.part() / "archive.zip"; }
  [[nodiscard]] std::filesystem::path fresh() const { return folder_.fresh(); }

  // The new one gets its place. What was there (with Old::none there must be nothing) is asked
  // about when nobody finds it under its name any more: it goes if it may, else it is kept (where,
  // is returned). The skills' lock is held. hub_local_changes, file_write_failed; then all is as it
  // was.
  enum class Old { none, replaced };
  using MayGo = std::function<bool(const std::filesystem::path& old)>;
  Result<std::filesystem::path> put_in_place(Old old, const MayGo& may_go);
  // The lock file says so. Without it the next run will.
  void finish() { is_finished_ = true; }

 private:
  StagedSkill(std::filesystem::path skills, std::string slug, base::StagedFolder folder)
      : skills_(std::move(skills)), slug_(std::move(slug)), folder_(std::move(folder)) {}
  Result<void> note_inode() const;
  Result<void> take_free_place(const std::filesystem::path& target) const;

  std::filesystem::path skills_;
  std::string slug_;
  base::StagedFolder folder_;
  bool is_finished_ = false;
};

}  // namespace clawperator::hub
