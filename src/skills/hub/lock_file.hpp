#pragma once
// The two files of the hub's clients: the skills of a work folder (lock.json), and the source of
// one skill (origin.json). Unknown members of a lock file stay; one run at a time changes it.

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
  std::string slug{};  // unchanged from the file: not always a slug
  std::optional<std::string> version{};
  double installed_at = 0;  // milliseconds since 1970
  bool pinned = false;      // newer clients skip it in `update --all`
};

class LockFile {
 public:
  // An invalid text counts as an empty file; was_unreadable() is true then.
  static LockFile read(std::string_view text);
  LockFile();

  // The text was invalid. A file that the system cannot read is an error of read_lock() instead.
  [[nodiscard]] bool was_unreadable() const { return unreadable_; }
  [[nodiscard]] std::vector<LockedSkill> skills() const;
  [[nodiscard]] std::optional<LockedSkill> find(std::string_view slug) const;
  void set(const std::string& slug, const std::string& version, std::int64_t installed_at);
  bool remove(const std::string& slug);  // returns whether there was one
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
  // of all its files as they were downloaded; empty: older clients note none
  std::string fingerprint{};
  std::string owner{};  // of the skill at the hub; empty: not known
};

// nullopt for an invalid note.
std::optional<Origin> read_origin(std::string_view text);
// The note in a skill's folder.
std::optional<Origin> read_origin_in(const std::filesystem::path& skill);
std::string origin_text(const Origin& origin);

// A missing file is empty, and so is an invalid one. file_unreadable for one that cannot be read
// completely.
Result<LockFile> read_lock(const Places& places);

// Held from before a skill is put in place until the lock file has its entry.
struct LockChange {
  // Waits for other runs. An invalid lock file is kept beside the new one, with a warning.
  // file_unreadable, file_write_failed, execution_conflict_in_flight.
  static Result<LockChange> begin(const Places& places);
  Result<void> write(const std::string& slug, const std::string& version, std::int64_t at);
  // Nothing is written where it has no entry.
  Result<void> remove(const std::string& slug);
  [[nodiscard]] Result<void> save() const;

  std::filesystem::path path{};
  FileHandle alone{};
  LockFile lock{};
};

}  // namespace clawperator::hub
