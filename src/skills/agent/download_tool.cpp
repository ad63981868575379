#include "skills/agent/download_tool.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/files.hpp"
#include "base/system/errc.hpp"
#include "base/system/staged_folder.hpp"
#include "base/utf8.hpp"
#include "runtime/fetch/download.hpp"
#include "skills/agent/installer.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/unpack.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;
using unpack::folder_below;
using unpack::last_part;
using unpack::parent_of;

namespace {

// A compiler with its libraries fits; a server must not fill the disk.
constexpr std::uint64_t kMostDownloaded = 2ULL << 30;
// Three times the archive, as programs compress; a bomb is far larger.
constexpr unpack::Limits kToolLimits{.archive_bytes = kMostDownloaded,
                                     .files = 100'000,
                                     .bytes = 6ULL << 30,
                                     .file_bytes = 4ULL << 30};
constexpr std::string_view kFiles = "files";  // moved to the target

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr std::string_view kStaging = ".staging~";  // no key is spelled like that

std::unexpected<Error> not_placed(const fs::path& path, int reason) {
  const bool is_link = reason == ELOOP || reason == ENOTDIR;
  return fail(errc::file_write_failed,
              "cannot write " + harmless_text(path.string(), "?") + ": " +
                  (is_link ? "it is, or is behind, a link or a file" : std::strerror(reason)));
}

std::string joined(std::string_view below, std::string_view path) {
  return std::string(below) + (below.empty() ? "" : "/") + std::string(path);
}

// The kind of the file at that path below `root`: 0 when it is missing, or reached only through a
// link.
mode_t kind_at(int root, std::string_view path) {
  FileHandle here(::openat(root, ".", kFolder | O_NOFOLLOW));
  std::string_view folders = parent_of(path);
  while (here.is_open() && !folders.empty()) {
    const std::string part(folders.substr(0, folders.find('/')));
    here = FileHandle(::openat(here.get(), part.c_str(), kFolder | O_NOFOLLOW));
    folders.remove_prefix(std::min(part.size() + 1, folders.size()));
  }
  struct stat found{};
  const bool is_there = here.is_open() && ::fstatat(here.get(), last_part(path).c_str(), &found,
                                                    AT_SYMLINK_NOFOLLOW) == 0;
  return is_there ? found.st_mode & S_IFMT : 0;
}

}  // namespace

Result<std::uint64_t> download_tool(const ToolDownload& download, const fs::path& state,
                                    std::chrono::milliseconds limit, const std::stop_token& stop) {
  TRY(const ToolStaging staging, ToolStaging::open(state, download.key));
  TRY_VOID(staging.check_target(download.below));
  const fs::path archive = staging.path() / "download";
  TRY(const auto part, PartFile::open(archive, {}));
  const HttpRequest request{
      .url = download.url, .max_bytes = kMostDownloaded, .limits = {.whole = limit}};
  TRY(const Downloaded done, clawperator::download(request, download.sha256, part.get(), stop));
  if (!done.is_whole()) return fail(errc::agent_install_failed, download_failure(done.status));
  if (!download.sha256.empty() && done.sha256 != download.sha256) {
    return fail(errc::agent_install_failed, "the download has the SHA-256 " + done.sha256 +
                                                ", not " + download.sha256 +
                                                "; nothing was installed");
  }
  const std::uint64_t size = part->size();
  TRY_VOID(part->become_target());
  const fs::path files = staging.path() / kFiles;
  if (download.archive) {
    TRY_VOID(unpack::unpack(archive, *download.archive, files,
                            unpack::strip_components(download.strip), kToolLimits, stop));
  } else if (::mkdir(files.c_str(), 0755) != 0) {
    return cannot("make", files, errc::file_write_failed, errno);
  }
  // The downloaded file stays, unless it contains a member of its own name.
  const fs::path kept = files / download.file_name;
  struct stat found{};
  if (::lstat(kept.c_str(), &found) != 0 && ::rename(archive.c_str(), kept.c_str()) != 0) {
    return cannot_write(kept, errno);
  }
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  TRY_VOID(staging.put_in_place(kFiles, download.below));
  return size;
}

Result<ToolStaging> ToolStaging::open(const fs::path& state, const std::string& key) {
  fs::path tools = state / "tools";
  fs::path path = tools / kStaging / key;
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return cannot("make", path, errc::file_write_failed, error.value());
  FileHandle lock = open_real_folder(path);
  if (!lock.is_open()) return not_placed(path, errno);
  if (try_lock(lock) != Locking::locked) {
    return fail(errc::execution_conflict_in_flight,
                "another install of tools for '" + key + "' is under way");
  }
  unpack::remove_contents(path);
  return ToolStaging(std::move(path), std::move(tools), key, std::move(lock));
}

ToolStaging::ToolStaging(fs::path path, fs::path tools, std::string key, FileHandle lock)
    : path_(std::move(path)),
      tools_(std::move(tools)),
      key_(std::move(key)),
      lock_(std::move(lock)) {}

ToolStaging::~ToolStaging() {
  if (lock_.is_open()) unpack::remove_contents(path_);
}

Result<void> ToolStaging::check_target(std::string_view below) const {
  const FileHandle tools(::open(tools_.c_str(), kFolder));
  if (!tools.is_open()) return not_placed(tools_, errno);
  for (std::string path = joined(key_, below); !path.empty(); path = parent_of(path)) {
    const mode_t kind = kind_at(tools.get(), path);
    if (kind != 0 && !S_ISDIR(kind)) return not_placed(tools_ / path, ENOTDIR);
  }
  return ok();
}

Result<void> ToolStaging::put_in_place(std::string_view folder, std::string_view below) const {
  const fs::path source = path_ / folder;
  TRY(const auto pieces, entries_below(source));
  const FileHandle from = open_real_folder(source);
  if (!from.is_open()) return not_placed(source, errno);
  const FileHandle tools(::open(tools_.c_str(), kFolder));
  if (!tools.is_open()) return not_placed(tools_, errno);
  const std::string target = joined(key_, below);
  const FileHandle to = folder_below(tools.get(), target);
  if (!to.is_open()) return not_placed(tools_ / target, errno);
  for (const EntryBelow& piece : pieces) {
    const mode_t kind = kind_at(to.get(), piece.path);
    const bool fits = kind == 0 || S_ISDIR(kind) == piece.is_folder;
    if (!fits) return not_placed(tools_ / target / piece.path, piece.is_folder ? ENOTDIR : EISDIR);
  }
  for (const EntryBelow& piece : pieces) {
    const std::string_view path = piece.path;
    if (piece.is_folder) {
      if (!folder_below(to.get(), path).is_open()) return not_placed(tools_ / target / path, errno);
      continue;
    }
    const FileHandle source_parent = folder_below(from.get(), parent_of(path));
    const FileHandle parent = folder_below(to.get(), parent_of(path));
    const std::string name = last_part(path);
    if (!parent.is_open() ||
        ::renameat(source_parent.get(), name.c_str(), parent.get(), name.c_str()) != 0) {
      return not_placed(tools_ / target / path, errno);
    }
  }
  return ok();
}

}  // namespace clawperator::agent_skills
