#pragma once
// The two files that the hub's clients leave behind: which skills a work folder has (lock.json),
// and where one skill came from (origin.json). What members of others stand in a lock file stays
// there; it is changed by one run at a time.

#include <filesystem>

#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "base/json_document.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::hub {

// Room for kMaxLocked members of 80 bytes; all of it is kept as a document.
inline constexpr std::size_t kMaxLockFile = std::size_t{8} << 20;

// Of a time in these files: below 2^53, which an int64 and a double both have.
inline constexpr double kMaxTime = 9e15;

struct LockedSkill {
  std::string slug{};  // as it stands there: not always a slug
  std::optional<std::string> version{};
  double installed_at = 0;  // milliseconds since 1970
  bool pinned = false;      // newer clients leave it as it is in `update --all`
};

class LockFile {
 public:
  // What is no lock file is taken for an empty one, and says so.
  static LockFile read(std::string_view text);
  LockFile();

  [[nodiscard]] bool was_unreadable() const { return unreadable_; }
  [[nodiscard]] std::vector<LockedSkill> skills() const;
  [[nodiscard]] std::optional<LockedSkill> find(std::string_view slug) const;
  void set(const std::string& slug, const std::string& version, std::int64_t installed_at);
  // Two spaces a level and a line feed, as the clients write it.
  [[nodiscard]] std::string text() const;

 private:
  std::shared_ptr<Json> document_;
  bool unreadable_ = false;
};

struct Origin {
  std::string registry{};
  std::string slug{};
  std::string version{};
  std::int64_t installed_at = 0;
  std::string fingerprint{};  // of all its files, as they came; empty: older clients note none
};

// nullopt for what is none.
std::optional<Origin> read_origin(std::string_view text);
std::string origin_text(const Origin& origin);

// One that is not there is empty. file_unreadable for one that may say more than we see.
Result<LockFile> read_lock(const Places& places);

// From before a skill gets its place until the lock file says so.
struct LockChange {
  // Waits for other runs. What is no lock file is kept beside the new one, with a warning.
  // file_unreadable, file_write_failed, execution_conflict_in_flight.
  static Result<LockChange> begin(const Places& places);
  Result<void> write(const std::string& slug, const std::string& version, std::int64_t at);

  std::filesystem::path path{};
  FileHandle alone{};
  LockFile lock{};
};

}  // namespace clawperator::hub
