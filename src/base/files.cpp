#include "base/files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

#include "base/clock.hpp"
#include "base/text.hpp"

namespace base {

namespace fs = std::filesystem;

namespace {

std::string system_text() { return std::strerror(errno); }

constexpr std::string_view kDraftBegin = ".clawperator-";
constexpr std::string_view kDraftEnd = ".part";

std::string temporary_name() {
  std::uint64_t random = 0;
  if (::getrandom(&random, sizeof random, 0) != sizeof random) {
    random = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
  }
  return std::string(kDraftBegin) + std::to_string(random) + std::string(kDraftEnd);
}

bool is_draft_name(std::string_view name) {
  if (!name.starts_with(kDraftBegin) || !name.ends_with(kDraftEnd)) return false;
  name.remove_prefix(kDraftBegin.size());
  name.remove_suffix(std::min(name.size(), kDraftEnd.size()));
  return !name.empty() && std::ranges::all_of(name, is_digit);
}

void remove_if_left(int folder, const char* name) {
  const FileHandle file(
      ::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat found{};
  const bool is_ours = file.is_open() && ::fstat(file.get(), &found) == 0 &&
                       S_ISREG(found.st_mode) && found.st_uid == ::geteuid();
  if (is_ours && try_lock(file) == Locking::locked) ::unlinkat(folder, name, 0);
}

// Checked once per process and folder, because reading a folder takes time. A new folder may get
// the inode of a removed one, but not its time.
bool is_first_draft_in(int folder) {
  // Bounds the memory of a long-lived process; a folder that is dropped here is read again.
  constexpr std::size_t kMostFolders = 1024;
  static std::mutex mutex;
  static std::set<std::array<std::uint64_t, 5>> known;
  struct statx found{};
  if (::statx(folder, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) != 0) return true;
  const auto begun = static_cast<std::uint64_t>(found.stx_btime.tv_sec);
  const std::lock_guard guard(mutex);
  if (known.size() >= kMostFolders) known.clear();
  return known
      .insert(
          {found.stx_dev_major, found.stx_dev_minor, found.stx_ino, begun, found.stx_btime.tv_nsec})
      .second;
}

void remove_left_drafts(int folder) {
  // A write must not wait long for a huge folder; a draft behind these entries stays.
  constexpr int kMostEntries = 20'000;
  const int here = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = here < 0 ? nullptr : ::fdopendir(here);
  if (entries == nullptr) {
    if (here >= 0) ::close(here);
    return;
  }
  const dirent* entry = nullptr;
  for (int seen = 0; seen < kMostEntries && (entry = ::readdir(entries)) != nullptr; ++seen) {
    if (is_draft_name(entry->d_name)) remove_if_left(folder, entry->d_name);
  }
  ::closedir(entries);
}

// False if the file is another process's draft, or if another process has just taken it for a
// stale one and removed it.
bool is_new_draft(const FileHandle& file) {
  struct stat found{};
  if (try_lock(file) == Locking::held_by_another) return false;
  return ::fstat(file.get(), &found) == 0 && found.st_nlink != 0;
}

// Opens a folder for reading and syncing, if that is allowed.
FileHandle open_to_write_in(const fs::path& folder) {
  FileHandle opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.is_open() || errno != EACCES) return opened;
  return FileHandle(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_plain_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

int write_bytes(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::unexpected<Error> cannot(std::string_view verb, const fs::path& path, Errc code, int reason) {
  return fail(code,
              "cannot " + std::string(verb) + " " + path.string() + ": " + std::strerror(reason));
}

std::unexpected<Error> cannot_write(const fs::path& path, int reason) {
  return cannot("write", path, errc::file_write_failed, reason);
}

Result<fs::path> file_behind(fs::path path) {
  constexpr int kMostLinks = 40;  // Linux follows 40 links, too (path_resolution(7))
  std::error_code error;
  int links = 0;
  for (; fs::is_symlink(path, error); ++links) {
    if (links == kMostLinks)
      return fail(errc::file_write_failed, path.string() + " is a loop of links");
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  if (links == 0) return path;
  // A parent folder may be a link, too: only the system knows the target of `..` behind it.
  const fs::path folder = fs::weakly_canonical(path.parent_path(), error);
  return error ? path : folder / path.filename();
}

std::vector<fs::directory_entry> entries_in(const fs::path& folder, std::error_code& error) {
  std::vector<fs::directory_entry> entries;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(*at);
  }
  return entries;
}

Result<std::vector<EntryBelow>> entries_below(const fs::path& folder) {
  std::vector<EntryBelow> entries;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const auto type = at->symlink_status(error).type();
    entries.push_back({.path = at->path().lexically_relative(folder).string(),
                       .is_folder = type == fs::file_type::directory});
  }
  if (error) return cannot("read", folder, errc::io, error.value());
  return entries;
}

Locking try_lock(const FileHandle& file) {
  int result = 0;
  do {
    result = ::flock(file.get(), LOCK_EX | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  if (result == 0) return Locking::locked;
  return errno == EWOULDBLOCK ? Locking::held_by_another : Locking::failed;
}

FileHandle create_draft(int folder, mode_t mode, std::string* name) {
  // A random name is almost never taken; the limit is for a process that takes each name on
  // purpose.
  constexpr int kAttempts = 16;
  if (is_first_draft_in(folder)) remove_left_drafts(folder);
  for (int attempt = 1;; ++attempt) {
    *name = temporary_name();
    FileHandle file(::openat(folder, name->c_str(),
                             O_WRONLY | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
    if (file.is_open() && is_new_draft(file)) return file;
    const bool is_taken = file.is_open() || errno == EEXIST;
    if (!is_taken || attempt == kAttempts) return file;
  }
}

// Some file systems do not support the call, and some folders cannot be read.
bool is_on_disk(int fd) {
  return ::fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF;
}

std::vector<AgedFile> files_by_age(const fs::path& folder) {
  std::vector<AgedFile> held;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    const auto written = it->last_write_time(error);
    const auto size = error ? 0 : it->file_size(error);
    if (!error) held.push_back({written, it->path(), size});
  }
  std::ranges::sort(held);
  return held;
}

void drop_oldest(const fs::path& folder, std::size_t most_files, std::uintmax_t most_bytes) {
  const auto held = files_by_age(folder);
  std::uintmax_t bytes = 0;
  for (const AgedFile& file : held) bytes += file.size;
  std::error_code ignored;
  for (std::size_t number = 0; number + 1 < held.size(); ++number) {
    if (held.size() - number <= most_files && bytes <= most_bytes) return;
    bytes -= held[number].size;
    fs::remove(held[number].path, ignored);
  }
}

int rename_to_free(int from, const std::string& name, int to, const std::string& free) {
  if (::renameat2(from, name.c_str(), to, free.c_str(), RENAME_NOREPLACE) == 0) return 0;
  const int reason = errno;
  if (reason != EINVAL && reason != ENOSYS) return reason;
  // For a file system without RENAME_NOREPLACE.
  struct stat found{};
  if (::fstatat(to, free.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  return ::renameat(from, name.c_str(), to, free.c_str()) == 0 ? 0 : errno;
}

Result<std::string> set_aside(const fs::path& path, const FileHandle& to, const std::string& name) {
  // More files of this name indicate another fault; each try is one system call.
  constexpr int kMost = 1000;
  for (int number = 1;; ++number) {
    std::string aside = number == 1 ? name : name + "-" + std::to_string(number);
    const int reason = rename_to_free(AT_FDCWD, path, to.get(), aside);
    if (reason == 0) return aside;
    if (reason != EEXIST || number == kMost) return cannot("write", path, errc::io, reason);
  }
}

Result<std::string> keep_damaged(const fs::path& path) {
  constexpr std::size_t kKept = 3;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileHandle folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return cannot("write", path, errc::io, errno);
  const std::string begin = path.filename().string() + ".damaged-";
  std::vector<fs::path> kept;
  std::error_code ignored;
  for (const auto& entry : entries_in(parent, ignored)) {
    if (entry.path().filename().string().starts_with(begin)) kept.push_back(entry.path());
  }
  std::ranges::sort(kept);
  for (std::size_t number = 0; number + kKept <= kept.size(); ++number) {
    fs::remove(kept[number], ignored);
  }
  return set_aside(path, folder, begin + wall_stamp());
}

Result<std::string> read_file(const fs::path& path, std::size_t limit) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(errc::io, "cannot read " + path.string() + ": " + system_text());
  return read_file(file, path, limit);
}

Result<std::string> read_file(const FileHandle& file, const fs::path& path, std::size_t limit) {
  std::string text;
  struct stat found{};
  if (::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode)) {
    text.reserve(std::min(limit, static_cast<std::size_t>(found.st_size)));
  }
  char chunk[65536];
  for (;;) {
    const ssize_t size = ::read(file.get(), chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return fail(errc::io, "cannot read " + path.string() + ": " + system_text());
    if (size == 0) return text;
    text.append(chunk, static_cast<std::size_t>(size));
    if (text.size() > limit) {
      return fail(errc::limit,
                  path.string() + " is longer than " + std::to_string(limit) + " bytes");
    }
  }
}

Result<void> write_file_atomically(const fs::path& path, std::string_view text, ParentFolder parent,
                                   Durable durable, Kept kept) {
  std::error_code ignored;
  const fs::path folder_path = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (parent == ParentFolder::created) fs::create_directories(folder_path, ignored);
  const FileHandle folder = open_to_write_in(folder_path);
  std::string draft;
  const auto give_up = [&](const char* verb) {
    const std::string why = system_text();
    if (!draft.empty()) ::unlinkat(folder.get(), draft.c_str(), 0);
    return fail(errc::io, std::string("cannot ") + verb + " " + path.string() + ": " + why);
  };
  if (!folder.is_open()) return give_up("create");
  const FileHandle file = create_draft(folder.get(), 0600, &draft);
  if (!file.is_open()) return give_up("create");
  const std::string name = path.filename();
  struct stat before{};
  const bool replaces = ::fstatat(folder.get(), name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (kept == Kept::mode && replaces && S_ISREG(before.st_mode)) {
    // Only root can keep the owner. Otherwise the file belongs to this user, like a new one.
    [[maybe_unused]] const int owned = ::fchown(file.get(), before.st_uid, before.st_gid);
    ::fchmod(file.get(), before.st_mode & 0777);
  }
  if (write_bytes(file.get(), text) != 0) return give_up("write");
  if (durable == Durable::yes && !is_on_disk(file.get())) return give_up("write");
  if (::renameat(folder.get(), draft.c_str(), folder.get(), name.c_str()) != 0) {
    return give_up("replace");
  }
  if (durable == Durable::yes && !is_on_disk(folder.get())) return give_up("keep");
  return ok();
}

}  // namespace base
