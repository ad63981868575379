#pragma once
// A skill's folder while it is made, beside those that are in use, and what it takes the place of.
// At every moment the old one or the new one is whole and in its place, whatever ends the process;
// the next run sees what was left and puts it right.
//
//   SKILLS/.<slug>.<16 digits>.part/   locked by the run that makes it
//     archive.zip, new/                downloaded, unpacked
//     inode                            which folder is the new one: from here on it may be in place
//     old/, trash/                     the other one
//   SKILLS/.hub-replaced/<slug>-<time>/    what was replaced and had changes of the user's

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// Held until the handle goes: nobody else changes what is directly in `folder`, which is made.
// Waits 5 s for another run; execution_conflict_in_flight then.
Result<FileHandle> lock_made_folder(const std::filesystem::path& folder);

// Of runs that were killed, of which none is at work any more. Returns the slugs whose new folder
// is in place, though their run did not come to say so in the lock file. The skills' lock is held.
std::vector<std::string> recover_skills(const std::filesystem::path& skills);

class StagedSkill {
 public:
  static Result<StagedSkill> begin(const std::filesystem::path& skills, const std::string& slug);
  StagedSkill(StagedSkill&&) noexcept;
  StagedSkill& operator=(StagedSkill&&) = delete;
  StagedSkill(const StagedSkill&) = delete;
  StagedSkill& operator=(const StagedSkill&) = delete;
  ~StagedSkill();  // with all that is left in it

  [[nodiscard]] std::filesystem::path archive() const { return part_ / "archive.zip"; }
  [[nodiscard]] std::filesystem::path fresh() const { return part_ / "new"; }

  // What becomes of the folder that is there: there must be none, it is kept (where, is returned),
  // it goes. The skills' lock is held. hub_local_changes, file_write_failed; then all is as it was.
  enum class Old { none, kept, dropped };
  Result<std::filesystem::path> put_in_place(Old old);

 private:
  StagedSkill(std::filesystem::path skills, std::string slug, std::filesystem::path part,
              FileHandle lock);
  Result<void> note_inode() const;
  Result<void> exchange(const std::filesystem::path& target) const;

  std::filesystem::path skills_;
  std::string slug_;
  std::filesystem::path part_;
  FileHandle lock_;
};

}  // namespace clawperator::hub
