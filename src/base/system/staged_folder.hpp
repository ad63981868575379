#pragma once
// A folder that appears complete in its place, because it is filled beside that place first.
//
//   PARENT/.NAME.<16 digits>.part/   locked by the process that fills it
//     new/                           the coming PARENT/NAME; after an exchange, the previous one
//     old/                           the previous one, on a file system that cannot exchange names

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace base {

// Opens the folder unless a link is in its place; not open: errno has the reason.
FileHandle open_real_folder(const std::filesystem::path& folder);

class StagedFolder {
 public:
  // Creates the part folder; file_write_failed.
  static Result<StagedFolder> begin(const std::filesystem::path& target);
  StagedFolder(StagedFolder&&) noexcept = default;
  StagedFolder& operator=(StagedFolder&&) = delete;
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;
  ~StagedFolder();  // removes the part folder unless it must stay

  [[nodiscard]] const std::filesystem::path& part() const { return part_; }
  [[nodiscard]] std::filesystem::path fresh() const { return part_ / "new"; }
  // The part folder stays; the next process cleans it up, like that of a killed process.
  void leave_part() { lock_.reset(); }
  [[nodiscard]] bool is_held() const { return lock_.is_open(); }  // neither left nor moved from

  // Moves the new folder into its place, which must be free. Returns 0 or an errno: EEXIST.
  [[nodiscard]] int take_free_place() const;
  // The same, but an empty folder may be there. Returns 0 or an errno: ENOTEMPTY, ENOTDIR.
  [[nodiscard]] int take_empty_place() const;
  // Replaces the previous folder and returns its new place; file_write_failed, and no change,
  // otherwise.
  [[nodiscard]] Result<std::filesystem::path> exchange() const;
  // Undoes one of these three. `away`: the result of exchange(), empty for the other two.
  [[nodiscard]] bool take_back(const std::filesystem::path& away = {}) const;

  // NAME from a part folder's name; empty for any other name.
  static std::string_view target_name(std::string_view part_name);
  enum class Filled : std::uint8_t { stays, goes };
  // Removes the part folders of killed processes for `target`; a previous folder is moved back if
  // none is there now. A folder that is still being filled is removed only if the caller has ended
  // exactly that work.
  static void remove_left(const std::filesystem::path& target, Filled filled = Filled::stays);

 private:
  StagedFolder(std::filesystem::path target, std::filesystem::path part, FileHandle lock)
      : target_(std::move(target)), part_(std::move(part)), lock_(std::move(lock)) {}

  std::filesystem::path target_;
  std::filesystem::path part_;
  FileHandle lock_;
};

}  // namespace base
