#include "skills/hub/lock_store.hpp"

#include <chrono>
#include <utility>

#include "base/files.hpp"
#include "runtime/contract/errc.hpp"
#include "skills/hub/plain_file.hpp"
#include "skills/hub/staged_skill.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

namespace {

// What a run that was killed while it wrote has left; the folder's lock is held.
void remove_drafts(const fs::path& folder) {
  std::error_code error;
  auto at = fs::directory_iterator(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code ignored;
    if (name.starts_with(".clawperator-") && name.ends_with(".part"))
      fs::remove(at->path(), ignored);
  }
}

}  // namespace

std::int64_t milliseconds_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

fs::path lock_path(const Places& places) { return places.lock_folder / "lock.json"; }

Result<LockFile> read_lock(const Places& places) {
  TRY(const auto text, read_plain_file(lock_path(places), kMaxLockFile));
  return text ? LockFile::read(*text) : LockFile();
}

LockChange::LockChange(fs::path path, FileHandle alone, LockFile lock)
    : path_(std::move(path)), alone_(std::move(alone)), lock_(std::move(lock)) {}

Result<LockChange> LockChange::begin(const Places& places) {
  TRY(FileHandle alone, lock_made_folder(places.lock_folder));
  remove_drafts(places.lock_folder);
  TRY(LockFile lock, read_lock(places));
  fs::path path = lock_path(places);
  if (lock.was_unreadable()) {
    TRY(const std::string name, set_aside(path, alone, "lock.json.unreadable"));
    warn(places, path.string() + " is no lock file of a hub's; it is " + name + " now");
  }
  return LockChange(std::move(path), std::move(alone), std::move(lock));
}

Result<void> LockChange::write(const std::string& slug, const std::string& version,
                               std::int64_t at) {
  lock_.set(slug, version, at);
  const auto written = write_file_atomically(path_, lock_.text());
  return written ? ok() : fail(errc::file_write_failed, written.error().message());
}

}  // namespace clawperator::hub
