#include "runtime/serve/client_files.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/async/blocking.hpp"
#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/daemon/errc.hpp"
#include "runtime/device/runtime_folder.hpp"
#include "runtime/engine/screenshot.hpp"
#include "runtime/serve/errc.hpp"

namespace clawperator::serve {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> not_allowed(std::string_view name, std::string_view why) {
  return fail(errc::file_not_allowed,
              "\"" + std::string(name) + "\" is not allowed: " + std::string(why));
}

// Of a folder whose name is free of links and of "..".
FileHandle open_below(int folder, const std::string& name) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  return FileHandle(static_cast<int>(
      ::syscall(SYS_openat2, folder, name.empty() ? "." : name.c_str(), &how, sizeof how)));
}

std::string why_not_opened(int reason) {
  if (reason == ELOOP || reason == EXDEV) return "it leads through a link, or out of the folder";
  return std::string("its folder: ") + std::strerror(reason);
}

// The folder of pictures that have no name; the last ones stay.
constexpr std::size_t kMostPictures = 64;
// Room for kMostPictures of 4 MiB each.
constexpr std::uintmax_t kMostPictureBytes = std::uintmax_t{256} << 20;

Result<fs::path> picture_folder() {
  const fs::path cache = cache_folder();
  if (cache.empty()) return fail(errc::io, "pictures have no folder: HOME is not set");
  const fs::path folder = cache / "pictures";
  std::error_code ignored;
  fs::create_directories(cache, ignored);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return cannot("create", folder, errc::io, errno);
  }
  if (is_private_folder(folder)) return folder;
  return fail(errc::io, folder.string() + " is not a private folder of this user");
}

Result<void> write_nameless(const fs::path& path, std::string_view bytes) {
  TRY_VOID(write_file_atomically(path, bytes, ParentFolder::required));
  drop_oldest(path.parent_path(), kMostPictures, kMostPictureBytes);
  return ok();
}

}  // namespace

Result<std::string> name_below(std::string_view folder, std::string_view name) {
  std::string_view rest = name;
  if (rest.contains('\0')) return not_allowed(name, "a name has no NUL");
  if (rest.starts_with('/')) {
    const std::string start = folder == "/" ? "/" : std::string(folder) + "/";
    if (!rest.starts_with(start)) {
      return not_allowed(name, "it does not lie below " + std::string(folder));
    }
    rest.remove_prefix(start.size());
  }
  std::string below;
  std::string_view part;
  do {
    part = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    if (part == "..") return not_allowed(name, "a name has no \"..\"");
    if (!part.empty() && part != ".") below.append(below.empty() ? "" : "/").append(part);
  } while (!rest.empty());
  if (part.empty() || part == "." || name.ends_with('/')) {
    return not_allowed(name, "it names a folder");
  }
  return below;
}

Result<std::unique_ptr<ClientFiles>> ClientFiles::open(const std::optional<fs::path>& folder) {
  auto files = std::make_unique<ClientFiles>();
  if (!folder) return files;
  const auto refused = [&folder](const std::string& why) {
    return fail(errc::serve_failed,
                "Failed to start server: --files \"" + folder->string() + "\": " + why);
  };
  files->folder_ = FileHandle(::open(folder->c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!files->folder_.is_open()) return refused(std::strerror(errno));
  struct stat found{};
  if (::fstat(files->folder_.get(), &found) != 0) return refused(std::strerror(errno));
  if (found.st_uid != ::geteuid() || (found.st_mode & 022) != 0) {
    return refused("the folder must be yours, and no other user may write to it");
  }
  std::error_code error;
  files->path_ = fs::canonical(*folder, error);
  if (error) return refused(error.message());
  if (const auto same = files->check_folder(); !same) return refused(same.error().message());
  return files;
}

ClientFiles::Left ClientFiles::left(const struct stat& found) {
  return {.device = found.st_dev,
          .inode = found.st_ino,
          .size = static_cast<std::uint64_t>(found.st_size),
          .seconds = found.st_mtim.tv_sec,
          .nanoseconds = found.st_mtim.tv_nsec};
}

// Another folder may have taken its name: an answer would name a file that is not there.
Result<void> ClientFiles::check_folder() const {
  if (!folder_.is_open()) {
    return fail(errc::file_not_allowed,
                "this server writes no files for clients: `serve --files FOLDER` names the folder "
                "where it may");
  }
  struct stat opened{}, now{};
  if (::fstat(folder_.get(), &opened) == 0 && ::stat(path_.c_str(), &now) == 0 &&
      opened.st_dev == now.st_dev && opened.st_ino == now.st_ino) {
    return ok();
  }
  return fail(errc::file_not_allowed,
              path_.string() + " is no longer the folder that --files named at the start");
}

Result<ClientFiles::Place> ClientFiles::find(std::string_view name) const {
  TRY_VOID(check_folder());
  TRY(std::string below, name_below(path_.native(), name));
  Place place{.path = (path_ / below).string(), .folder = {}, .name = below};
  const std::size_t slash = below.rfind('/');
  if (slash != below.npos) place.name = below.substr(slash + 1);
  below.resize(slash == below.npos ? 0 : slash);
  place.folder = open_below(folder_.get(), below);
  if (!place.folder.is_open()) return not_allowed(name, why_not_opened(errno));
  return place;
}

Result<std::optional<ClientFiles::Left>> ClientFiles::find_own(const Place& place) const {
  struct stat found{};
  if (::fstatat(place.folder.get(), place.name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return not_allowed(place.path, std::strerror(errno));
  }
  const bool is_own = S_ISREG(found.st_mode) && std::ranges::count(written_, left(found)) != 0;
  if (is_own) return left(found);
  return not_allowed(place.path, "there is something that this server has not written");
}

Result<std::string> ClientFiles::judge(std::string_view name) const {
  TRY(Place place, find(name));
  const std::lock_guard guard(mutex_);
  TRY_VOID(find_own(place));
  return std::move(place.path);
}

Result<void> ClientFiles::write(std::string_view name, std::string_view bytes) {
  TRY(const Place place, find(name));
  std::string draft;
  FileHandle file = create_draft(place.folder.get(), 0600, &draft);
  if (!file.is_open()) return cannot("create", place.path, errc::io, errno);
  int reason = write_bytes(file.get(), bytes);
  struct stat written{};
  if (reason == 0 && ::fstat(file.get(), &written) != 0) reason = errno;
  const auto done = reason == 0 ? put_in_place(place, draft, left(written))
                                : cannot("write", place.path, errc::io, reason);
  if (!done) ::unlinkat(place.folder.get(), draft.c_str(), 0);
  return done;
}

Result<void> ClientFiles::put_in_place(const Place& place, const std::string& draft,
                                       const Left& written) {
  const std::lock_guard guard(mutex_);
  TRY(const auto own, find_own(place));
  const int folder = place.folder.get();
  int reason = 0;
  if (!own) {
    reason = rename_to_free(folder, draft, folder, place.name);
  } else if (::renameat(folder, draft.c_str(), folder, place.name.c_str()) != 0) {
    reason = errno;
  }
  if (reason != 0) return cannot("write", place.path, errc::io, reason);
  if (own) std::erase(written_, *own);
  written_.push_back(written);
  if (written_.size() > kRemembered) written_.pop_front();
  return ok();
}

namespace {

Result<void> judge_names(const ClientFiles& files, ExecuteRequest& request) {
  std::optional<std::string>& nameless = request.screenshot.default_path;
  for (const Action& action : request.execution.actions) {
    const auto* shot = action.as<Screenshot>();
    if (!shot || request.screenshot.to_memory) continue;
    if (shot->path) {
      TRY(request.picture_paths[*shot->path], files.judge(*shot->path));
    } else if (!nameless) {
      TRY(const fs::path folder, with_code(errc::file_write_failed, picture_folder()));
      nameless =
          folder / default_picture_name(request.execution.command_id, request.screenshot.format);
    }
  }
  return ok();
}

}  // namespace

Task<void> confine_pictures(ClientFiles* files, ExecuteRequest* request) {
  const auto& actions = request->execution.actions;
  const bool takes_pictures =
      std::ranges::count(actions, ActionType::take_screenshot, &Action::type) != 0;
  if (!takes_pictures) co_return ok();
  CO_TRY_VOID(co_await run_blocking([&] { return judge_names(*files, *request); }));
  request->write_picture = [files, nameless = request->screenshot.default_path](
                               const fs::path& path, std::string_view bytes) {
    return run_blocking([files, path, bytes, is_nameless = path == nameless] {
      return is_nameless ? write_nameless(path, bytes) : files->write(path.native(), bytes);
    });
  };
  co_return ok();
}

}  // namespace clawperator::serve
