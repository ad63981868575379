#include "adbproto/client/local_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "adbproto/session/sync_transfer.hpp"

#include "base/async/output_descriptor.hpp"
#include "base/clock.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

// A path of kMaxSyncPath has 512 folders at most; also bounds the recursion.
constexpr int kMaxDepth = 512;
constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

Result<std::vector<std::string>> names_in(const std::string& path) {
  const std::unique_ptr<DIR, CloseFolder> folder(::opendir(path.c_str()));
  if (!folder) return file_failure(errc::file_unreadable, "cannot open " + in_quotes(path), errno);
  std::vector<std::string> names;
  errno = 0;  // only errno distinguishes an error from the end
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  if (errno != 0) {
    return file_failure(errc::file_unreadable, "failed to read all of " + in_quotes(path), errno);
  }
  std::ranges::sort(names);
  return names;
}

Result<void> add_folder(LocalTree& tree, const std::string& local, const std::string& remote,
                        int depth) {
  if (depth > kMaxDepth) return fail(errc::limit, "folders are nested too deeply: " + local);
  const auto names = names_in(local);
  if (!names && depth == 0) return std::unexpected(names.error());
  if (!names) {
    tree.unread.push_back(names.error());
    return ok();
  }
  std::vector<std::pair<std::string, std::string>> below;
  for (const std::string& name : *names) {
    const std::string path = join_path(local, name);
    std::string target = join_path(remote, name);
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) {
      const bool gone = errno == ENOENT;  // since its folder was read
      Error why =
          file_failure(errc::file_unreadable, "cannot lstat " + in_quotes(path), errno).error();
      if (gone) {
        tree.warnings.push_back(why.message());
      } else {
        tree.unread.push_back(std::move(why));
      }
      continue;
    }
    const FileKind kind = kind_of(status.st_mode);
    if (kind == FileKind::directory) {
      below.emplace_back(path, std::move(target));
    } else if (kind == FileKind::regular || kind == FileKind::link) {
      tree.files.push_back({path, std::move(target), static_cast<std::uint64_t>(status.st_size),
                            status.st_mtime, status.st_mode});
    } else {
      tree.warnings.push_back(special_file_warning(path, status.st_mode));
      ++tree.skipped;
    }
  }
  for (auto& [path, target] : below) {
    tree.folders.push_back(target);
    TRY_VOID(add_folder(tree, path, target, depth + 1));
  }
  return ok();
}

// umask(2) reads the mask only by changing it for all threads; a file that another thread creates
// at that moment would get no mask.
mode_t read_umask() {
  constexpr mode_t kUsual = 022;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    constexpr std::string_view kKey = "Umask:";
    if (!line.starts_with(kKey)) continue;
    return static_cast<mode_t>(std::strtoul(line.c_str() + kKey.size(), nullptr, 8));
  }
  return kUsual;
}

mode_t current_umask() {
  static const mode_t kMask = read_umask();
  return kMask;
}

bool leads_to_special(int folder, const std::string& name) {
  struct stat status{};
  if (::fstatat(folder, name.c_str(), &status, 0) != 0) return false;
  const FileKind kind = kind_of(status.st_mode);
  return kind == FileKind::device || kind == FileKind::other;
}

// Why a folder on the way cannot be opened: strerror of the original error would mislead, because
// openat(2) reports a link that it must not follow as "not a directory".
std::string why_not_entered(const FileHandle& folder, const std::string& name, int error) {
  struct stat status{};
  const bool is_link = ::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                       kind_of(status.st_mode) == FileKind::link;
  return is_link ? "it is a link" : std::strerror(error);
}

}  // namespace

std::unexpected<Error> file_failure(Errc code, std::string what, int error) {
  return fail(code, std::move(what) + ": " + std::strerror(error));
}

Result<LocalTree> read_local_tree(std::string local, std::string remote) {
  LocalTree tree;
  TRY_VOID(add_folder(tree, local, remote, 0));
  return tree;
}

Result<FileHandle> open_to_read(const std::string& path) {
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) {
    return file_failure(errc::file_unreadable, "failed to open " + in_quotes(path), errno);
  }
  return file;
}

// A read may return fewer bytes, as in /proc and /sys. A file that ends at its expected size is not
// read again: that is every ordinary file, and a push may have thousands.
Result<std::optional<Bytes>> read_small_file(const std::string& path, std::size_t expected,
                                             std::size_t limit) {
  TRY(const FileHandle file, open_to_read(path));
  // The extra byte shows that the file grew. Some files of /proc/sys are read at once or not at
  // all.
  Bytes content((expected == 0 ? limit : std::min(expected, limit)) + 1);
  std::size_t size = 0;
  for (;;) {
    const std::size_t room = content.size() - size;
    const ssize_t got = ::read(file.get(), content.data() + size, room);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return file_failure(errc::file_unreadable, "failed to read all of " + in_quotes(path), errno);
    }
    size += static_cast<std::size_t>(got);
    if (got == 0 || (size == expected && size < content.size())) break;
    if (size > limit) return std::optional<Bytes>{};
    content.resize(limit + 1);
  }
  content.resize(size);
  return content;
}

Result<std::string> read_link_target(const std::string& path) {
  std::string target(4096, '\0');
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  if (size < 0) {
    return file_failure(errc::file_unreadable, "readlink " + in_quotes(path) + " failed", errno);
  }
  target.resize(static_cast<std::size_t>(size));
  return target;
}

NewFile::NewFile(NewFile&& other) noexcept
    : file_(std::move(other.file_)),
      folder_(std::move(other.folder_)),
      name_(std::move(other.name_)),
      temporary_(std::exchange(other.temporary_, {})),
      shown_(std::move(other.shown_)) {}

Result<NewFile> NewFile::create(FolderPtr folder, std::string name, std::string shown,
                                Special special) {
  NewFile made;
  made.folder_ = std::move(folder);
  const int in = made.folder_->get();
  made.name_ = std::move(name);
  made.shown_ = std::move(shown);
  if (special == Special::replaced || !leads_to_special(in, made.name_)) {
    made.file_ = create_draft(in, 0644, &made.temporary_);
  } else {
    made.file_ = FileHandle(::openat(in, made.name_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
    if (!made.file_.is_open() && errno == ENXIO) {
      return fail(errc::closed, in_quotes(made.shown_) + " has no reader");
    }
  }
  if (made.file_.is_open()) return made;
  const int error = errno;
  made.temporary_.clear();
  return file_failure(errc::file_write_failed, "cannot create " + in_quotes(made.shown_), error);
}

NewFile::~NewFile() {
  if (!temporary_.empty()) ::unlinkat(folder_->get(), temporary_.c_str(), 0);
}

Result<std::size_t> NewFile::write(ByteView bytes) {
  std::size_t size = 0;
  while (size < bytes.size()) {
    const auto written = write_now(file_.get(), bytes.subspan(size));
    if (!written) {
      return fail(errc::file_write_failed,
                  "cannot write " + in_quotes(shown_) + ": " + written.error().message());
    }
    if (*written == 0) break;
    size += *written;
  }
  return size;
}

Result<void> NewFile::commit(std::optional<KeptAttributes> kept) {
  if (kept && !temporary_.empty()) {
    const timespec when{.tv_sec = kept->mtime, .tv_nsec = 0};
    const timespec both[2] = {when, when};
    const mode_t mask = current_umask();
    if (::futimens(file_.get(), both) != 0 || ::fchmod(file_.get(), kept->mode & 0777 & ~mask) != 0)
      return file_failure(errc::file_write_failed, "cannot set times of " + in_quotes(shown_),
                          errno);
  }
  // A temporary file stays locked until it has its final name.
  const FileHandle locked(temporary_.empty() ? -1 : ::fcntl(file_.get(), F_DUPFD_CLOEXEC, 0));
  if (const int error = file_.close(); error != 0) {
    return file_failure(errc::file_write_failed, "cannot write " + in_quotes(shown_), error);
  }
  if (temporary_.empty()) return ok();
  if (::renameat(folder_->get(), temporary_.c_str(), folder_->get(), name_.c_str()) != 0) {
    return file_failure(errc::file_write_failed, "cannot create " + in_quotes(shown_), errno);
  }
  temporary_.clear();
  return ok();
}

Result<PullTarget> PullTarget::open(std::string root) {
  PullTarget target;
  for (std::size_t at = 0; at != root.npos;) {
    at = root.find('/', at + 1);
    const std::string part = root.substr(0, at);
    if (::mkdir(part.c_str(), 0777) != 0 && errno != EEXIST) {
      return file_failure(errc::file_write_failed, "failed to create directory " + in_quotes(root),
                          errno);
    }
  }
  target.root_folder_ = std::make_shared<FileHandle>(::open(root.c_str(), kFolderFlags));
  if (!target.root_folder_->is_open()) {
    return file_failure(errc::file_write_failed, "failed to create directory " + in_quotes(root),
                        errno);
  }
  target.root_ = std::move(root);
  return target;
}

// Enters folder by folder from the root, and creates missing ones; a link on the way is an error.
Result<FolderPtr> PullTarget::enter(const std::string& relative) {
  if (relative.empty()) return root_folder_;
  if (entered_folder_ && entered_ == relative) return entered_folder_;
  FolderPtr folder = root_folder_;
  for (std::size_t at = 0; at <= relative.size();) {
    const std::size_t end = std::min(relative.find('/', at), relative.size());
    const std::string name = relative.substr(at, end - at);
    ::mkdirat(folder->get(), name.c_str(), 0777);
    auto below = std::make_shared<FileHandle>(
        ::openat(folder->get(), name.c_str(), kFolderFlags | O_NOFOLLOW));
    if (!below->is_open()) {
      const std::string why = why_not_entered(*folder, name, errno);
      const std::string path = join_path(root_, relative.substr(0, end));
      return fail(errc::file_write_failed,
                  "failed to create directory " + in_quotes(path) + ": " + why);
    }
    folder = std::move(below);
    at = end + 1;
  }
  entered_ = relative;
  entered_folder_ = std::move(folder);
  return entered_folder_;
}

Result<void> PullTarget::make_folder(const std::string& relative) {
  TRY([[maybe_unused]] const auto made, enter(relative));
  return ok();
}

Result<NewFile> PullTarget::create(const std::string& relative) {
  const std::size_t slash = relative.rfind('/');
  const std::size_t name = slash == relative.npos ? 0 : slash + 1;
  TRY(auto folder, enter(relative.substr(0, slash == relative.npos ? 0 : slash)));
  return NewFile::create(std::move(folder), relative.substr(name), name_of(relative),
                         Special::replaced);
}

std::string PullTarget::name_of(const std::string& relative) const {
  return join_path(root_, relative);
}

}  // namespace adbproto
