#include "skills/sync/checkout_journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ranges>

#include "base/file_handle.hpp"
#include "runtime/host/operator/part_file.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> unwritable(const fs::path& path, const std::string& why) {
  return fail(errc::file_write_failed, "cannot write " + path.string() + ": " + why);
}

Result<void> make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? unwritable(path, error.message()) : ok();
}

// With the modes that the user's umask leaves.
Result<void> write_new_file(const fs::path& path, std::string_view text, bool executable) {
  const FileHandle file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, executable ? 0777 : 0666));
  if (!file.is_open()) return unwritable(path, std::strerror(errno));
  while (!text.empty()) {
    const ssize_t written = ::write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return unwritable(path, std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return ok();
}

// Upwards, as long as there is nothing in them.
void remove_empty_folders(fs::path folder, const fs::path& top) {
  while (folder != top && ::rmdir(folder.c_str()) == 0) folder = folder.parent_path();
}

}  // namespace

CheckoutJournal::CheckoutJournal(fs::path folder, fs::path staging)
    : folder_(std::move(folder)), staging_(std::move(staging)) {}

CheckoutJournal::~CheckoutJournal() {
  if (!kept_) take_back();
  std::error_code ignored;
  fs::remove_all(staging_, ignored);
}

Result<void> CheckoutJournal::stage(git_repository* repository,
                                    const std::vector<FileChange>& changes,
                                    const std::stop_token& stop) {
  std::error_code ignored;
  fs::remove_all(staging_, ignored);  // of a sync that was killed
  TRY_VOID(make_folders(staging_ / "new"));
  TRY_VOID(make_folders(staging_ / "old"));
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
    if (!changes[i].content) continue;
    const FileChange::Content& content = *changes[i].content;
    const fs::path file = staging_ / "new" / std::to_string(i);
    auto text =
        content.text ? Result<std::string>(*content.text) : content_of(repository, content.blob);
    if (!text) return std::unexpected(std::move(text).error());
    TRY_VOID(write_new_file(file, *text, content.executable));
  }
  return ok();
}

Result<void> CheckoutJournal::write(const std::vector<FileChange>& changes) {
  for (std::size_t i = 0; i < changes.size(); ++i) TRY_VOID(write_one(changes[i], i));
  return ok();
}

Result<void> CheckoutJournal::write_one(const FileChange& change, std::size_t number) {
  const fs::path file = folder_ / change.path;
  TRY_VOID(remember(file));
  if (!change.content) {
    if (::unlink(file.c_str()) != 0 && errno != ENOENT) {
      return unwritable(file, std::strerror(errno));
    }
    remove_empty_folders(file.parent_path(), folder_);
    return ok();
  }
  ::rmdir(file.c_str());  // what became empty by removals
  TRY_VOID(make_folders(file.parent_path()));
  const fs::path staged = staging_ / "new" / std::to_string(number);
  if (::rename(staged.c_str(), file.c_str()) == 0) return ok();
  return unwritable(file, std::strerror(errno));
}

Result<void> CheckoutJournal::remember(const fs::path& file) {
  struct stat found{};
  fs::path before;
  if (::lstat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode)) {
    before = staging_ / "old" / std::to_string(done_.size());
    TRY_VOID(link_file(file, before));
  }
  done_.push_back({file, before});
  return ok();
}

void CheckoutJournal::take_back() {
  std::error_code ignored;
  for (const Done& done : std::views::reverse(done_)) {
    if (done.before.empty()) {
      ::unlink(done.file.c_str());
      remove_empty_folders(done.file.parent_path(), folder_);
    } else {
      fs::create_directories(done.file.parent_path(), ignored);
      ::rename(done.before.c_str(), done.file.c_str());
    }
  }
}

}  // namespace clawperator::skills
