#pragma once
// A skill's folder while it is made, beside those in use, and the folder that it replaces. At every
// moment the old or the new folder is complete and in its place, even if the process is killed; the
// next run finds the rest and repairs it.
//
//   SKILLS/.<slug>.<16 digits>.part/   base/system/staged_folder, with new/ and old/
//     archive.zip, scratch/            the download
//     inode                            which folder is the new one: from here on it may be in place
//     trash/                           the other one, where it may be removed

#include <filesystem>

#include "base/error.hpp"
#include "base/system/staged_folder.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// While the handle lives, no other run changes the direct content of `folder`, which is made if it
// is missing. Waits 5 s for another run; execution_conflict_in_flight then.
Result<FileHandle> lock_made_folder(const std::filesystem::path& folder);

// Repairs the rest of killed runs. `finish` gets the skills whose new folder is in place without an
// entry in the lock file. Where it fails, that rest stays for the next run; so does content that
// cannot be moved back, with a warning. The skills' lock is held.
Result<void> recover_skills(const Places& places,
                            const std::function<Result<void>(const SkillName& name)>& finish);

// The folder that contains the skill's: SKILLS, or SKILLS/@owner, which is made. file_write_failed
// where a link or a file is in its place.
Result<std::filesystem::path> make_owner_folder(const std::filesystem::path& skills,
                                                const SkillName& name);

class StagedSkill {
 public:
  static Result<StagedSkill> begin(const std::filesystem::path& skills, const std::string& slug);
  StagedSkill(StagedSkill&&) noexcept = default;
  StagedSkill& operator=(StagedSkill&&) = delete;
  StagedSkill(const StagedSkill&) = delete;
  StagedSkill& operator=(const StagedSkill&) = delete;
  ~StagedSkill();  // and all that is left in it

  [[nodiscard]] std::filesystem::path archive() const { return folder_.part() / "archive.zip"; }
  [[nodiscard]] std::filesystem::path scratch() const { return folder_.part() / "scratch"; }
  [[nodiscard]] std::filesystem::path fresh() const { return folder_.fresh(); }

  // Puts the new folder in place; the caller holds the skills' lock. Old::none: the place must be
  // free. Old::replaced: both folders are exchanged, and then `may_go` judges the old one, which is
  // no longer reachable by its name. True: it is removed. False: it is kept, and its path is
  // returned (otherwise an empty path). hub_local_changes, file_write_failed: everything is
  // unchanged, or the message names the place of the old folder.
  enum class Old { none, replaced };
  using MayGo = std::function<bool(const std::filesystem::path& old)>;
  Result<std::filesystem::path> put_in_place(Old old, const MayGo& may_go);
  // The lock file has its entry. Without this call the next run adds it.
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
