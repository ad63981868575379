#pragma once
// The lock file of a work folder: read, and changed by one run at a time.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "skills/hub/lock_file.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

std::filesystem::path lock_path(const Places& places);

// One that is not there is empty. file_unreadable for one that may say more than we see.
Result<LockFile> read_lock(const Places& places);

std::int64_t milliseconds_now();

// From before a skill gets its place until the lock file says so.
class LockChange {
 public:
  // Waits for other runs. What is no lock file is kept beside the new one, and told.
  // file_unreadable, file_write_failed, execution_conflict_in_flight.
  static Result<LockChange> begin(const Places& places);
  Result<void> write(const std::string& slug, const std::string& version, std::int64_t at);

 private:
  LockChange(std::filesystem::path path, FileHandle alone, LockFile lock);

  std::filesystem::path path_;
  FileHandle alone_;
  LockFile lock_;
};

}  // namespace clawperator::hub
