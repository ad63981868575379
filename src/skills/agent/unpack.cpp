#include "skills/agent/unpack.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/files.hpp"
#include "base/git_name.hpp"
#include "base/loaded_library.hpp"
#include "base/system/staged_folder.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/agent/errc.hpp"

// clang-format off
#define CLAWPERATOR_LIBARCHIVE(X)                                                         \
  X(archive_entry_filetype) X(archive_entry_hardlink) X(archive_entry_pathname)           \
  X(archive_entry_perm) X(archive_error_string) X(archive_filter_count)                   \
  X(archive_read_data) X(archive_read_free) X(archive_read_new)                           \
  X(archive_read_next_header) X(archive_read_open_fd) X(archive_read_support_filter_bzip2) \
  X(archive_read_support_filter_gzip) X(archive_read_support_format_tar)                  \
  X(archive_read_support_format_zip_seekable)
// clang-format on

namespace clawperator::unpack {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBytes = 1024;     // PATH_MAX of macOS; Linux has 4096
constexpr std::size_t kMostPartBytes = 255;  // NAME_MAX of Linux and macOS
// Tools nest far less; each part is a folder to make and to open.
constexpr std::size_t kMostParts = 64;

struct FormatName {
  std::string_view name;
  Format format;
};
constexpr std::array kFormatNames{
    FormatName{"tar.gz", Format::tar_gz},   FormatName{"tgz", Format::tar_gz},
    FormatName{"tar.bz2", Format::tar_bz2}, FormatName{"tbz2", Format::tar_bz2},
    FormatName{"zip", Format::zip},
};

std::unexpected<Error> bad_name(std::string_view name, std::string_view why) {
  return fail(errc::archive_refused,
              "the archive is refused: " + shown_name(name) + " " + std::string(why));
}

// Takes the first part of a path; a run of '/' separates like one.
std::string_view take_part(std::string_view* rest) {
  const std::size_t end = rest->find('/');
  const std::string_view part = rest->substr(0, end);
  const std::size_t next = rest->find_first_not_of('/', std::min(end, rest->size()));
  rest->remove_prefix(std::min(next, rest->size()));
  return part;
}

Result<std::string> stripped(std::string_view name, unsigned count) {
  if (name.starts_with('/')) return bad_name(name, "is an absolute name");
  if (name.contains('\\')) return bad_name(name, "has a backslash");
  std::string path;
  std::string_view rest = name;
  for (unsigned number = 0; !rest.empty(); ++number) {
    const std::string_view part = take_part(&rest);
    if (part == "..") return bad_name(name, "leads out of its folder");
    if (number < count || part == ".") continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

constexpr std::size_t kBlock = 1 << 16;
constexpr mode_t kFileMode = 0644;
constexpr mode_t kProgramMode = 0755;
constexpr mode_t kExecutable = 0111;

CLAWPERATOR_LIBARCHIVE(LOADED_DECLARE)
CLAWPERATOR_LIBARCHIVE(LOADED_DEFINE)

Result<void> bind_libarchive() {
  LoadedLibrary library("libarchive.so.13");
  CLAWPERATOR_LIBARCHIVE(LOADED_BIND)
  return library.complete("libarchive13");
}

// At the first call; no function above may be called before it.
Result<void> load_libarchive() {
  static const Result<void> kLoaded = bind_libarchive();
  return kLoaded;
}

// Names in an archive are UTF-8, and libarchive reads them by the locale of its thread.
class NamesInUtf8 {
 public:
  NamesInUtf8() : locale_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = ::uselocale(locale_);
  }
  ~NamesInUtf8() {
    if (locale_ == nullptr) return;
    ::uselocale(before_);
    ::freelocale(locale_);
  }
  NamesInUtf8(const NamesInUtf8&) = delete;
  NamesInUtf8& operator=(const NamesInUtf8&) = delete;

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

struct FreeReader {
  void operator()(struct archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<struct archive, FreeReader>;

std::unexpected<Error> archive_is_refused(std::string_view why) {
  return fail(errc::archive_refused, "the archive is refused: " + std::string(why));
}

std::unexpected<Error> damaged(const Reader& reader) {
  const char* text = archive_error_string(reader.get());
  return archive_is_refused("it is damaged: " +
                            harmless_text(text == nullptr ? "it cannot be read" : text, "?"));
}

// Enables the named format only, and only by libarchive itself: where it has no decompressor of its
// own it would start a program.
Result<Reader> reader_for(Format format) {
  Reader reader(archive_read_new());
  if (!reader) return fail(errc::limit, "no memory for an archive");
  int code = ARCHIVE_OK;
  switch (format) {
    case Format::tar_gz: code = archive_read_support_filter_gzip(reader.get()); break;
    case Format::tar_bz2: code = archive_read_support_filter_bzip2(reader.get()); break;
    case Format::zip: break;
  }
  if (code == ARCHIVE_OK) {
    code = format == Format::zip ? archive_read_support_format_zip_seekable(reader.get())
                                 : archive_read_support_format_tar(reader.get());
  }
  if (code == ARCHIVE_OK) return reader;
  return fail(errc::unsupported, "this libarchive cannot read archives of that kind");
}

Result<FileHandle> open_archive(const fs::path& path, std::uint64_t most) {
  FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) {
    return cannot("read", path, errc::io, errno);
  }
  if (!S_ISREG(found.st_mode)) return fail(errc::io, path.string() + " is no plain file");
  if (std::cmp_greater(found.st_size, most)) {
    return archive_is_refused("it is longer than " + std::to_string(most) + " bytes");
  }
  return file;
}

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kFolderMode = 0755;

std::unexpected<Error> not_written(const fs::path& path, std::string_view why) {
  return fail(errc::file_write_failed,
              "cannot write " + harmless_text(path.string(), "?") + ": " + std::string(why));
}

// A folder that is filled with files by their paths: from its own descriptor downwards, folder by
// folder, following no link. Files that are not kept are removed again.
class FreshFolder {
 public:
  // Makes the folder; an existing one must be empty and no link. file_write_failed.
  static Result<FreshFolder> open(fs::path path) {
    const bool is_new = ::mkdir(path.c_str(), kFolderMode) == 0;
    if (!is_new && errno != EEXIST) return not_written(path, std::strerror(errno));
    FileHandle folder = open_real_folder(path);
    if (!folder.is_open()) return not_written(path, std::strerror(errno));
    std::error_code error;
    const bool is_empty = fs::is_empty(path, error);
    if (error) return not_written(path, error.message());
    if (!is_empty) return not_written(path, "the folder is not empty");
    return FreshFolder(std::move(path), std::move(folder), is_new);
  }

  ~FreshFolder() {
    if (!folder_.is_open()) return;
    remove_contents(path_);
    if (is_new_) ::rmdir(path_.c_str());
  }

  FreshFolder(FreshFolder&& other) noexcept = default;
  FreshFolder& operator=(FreshFolder&&) = delete;
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  // For paths that check_member_path accepts; existing files are not opened. file_write_failed.
  Result<void> make_folder(std::string_view path) {
    if (!folder_below(folder_.get(), path).is_open()) return cannot_write(path, errno);
    return ok();
  }

  Result<FileHandle> create_file(std::string_view path, mode_t mode) {
    const FileHandle parent = folder_below(folder_.get(), parent_of(path));
    if (!parent.is_open()) return cannot_write(path, errno);
    FileHandle file(::openat(parent.get(), last_part(path).c_str(),
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!file.is_open()) return cannot_write(path, errno);
    return file;
  }

  [[nodiscard]] std::unexpected<Error> cannot_write(std::string_view path, int reason) const {
    return not_written(path_ / path, std::strerror(reason));
  }

  void keep() { folder_.reset(); }

 private:
  FreshFolder(fs::path path, FileHandle folder, bool is_new)
      : path_(std::move(path)), folder_(std::move(folder)), is_new_(is_new) {}

  fs::path path_;
  FileHandle folder_;
  bool is_new_ = false;
};

class Unpacking {
 public:
  Unpacking(Reader reader, Format format, FreshFolder* target, const NameRule& rule,
            const Limits& limits, const std::stop_token& stop)
      : reader_(std::move(reader)),
        worst_(format == Format::zip ? ARCHIVE_OK : ARCHIVE_WARN),
        target_(target),
        rule_(rule),
        limits_(limits),
        stop_(stop),
        block_(kBlock, '\0') {}

  Result<std::vector<std::string>> run() {
    for (std::uint64_t members = 0;; ++members) {
      if (stop_.stop_requested()) return fail(errc::cancelled, "cancelled");
      struct archive_entry* entry = nullptr;
      const int code = archive_read_next_header(reader_.get(), &entry);
      if (code == ARCHIVE_EOF) return std::move(files_);
      if (code < worst_) return damaged(reader_);
      if (members == limits_.files) return too_many();
      TRY_VOID(take(entry));
    }
  }

 private:
  Result<void> take(struct archive_entry* entry) {
    const char* found = archive_entry_pathname(entry);
    if (found == nullptr || *found == '\0')
      return archive_is_refused("a name in it cannot be read");
    const std::string name = found;
    const auto kind = archive_entry_filetype(entry);
    const bool is_link = archive_entry_hardlink(entry) != nullptr || kind == AE_IFLNK;
    if (is_link) return archive_is_refused(shown_name(name) + " is a link");
    if (kind != AE_IFREG && kind != AE_IFDIR) {
      return archive_is_refused(shown_name(name) + " is neither a file nor a folder");
    }
    TRY(const std::string path, rule_(name));
    if (path.empty()) return read_data(-1, name);
    TRY_VOID(check_member_path(path));
    if (kind == AE_IFDIR) {
      TRY_VOID(note_folder(path));
      TRY_VOID(target_->make_folder(path));
      return read_data(-1, name);
    }
    return take_file(path, name, (archive_entry_perm(entry) & kExecutable) != 0);
  }

  Result<void> take_file(const std::string& path, std::string_view name, bool is_program) {
    if (const std::size_t slash = path.rfind('/'); slash != path.npos) {
      TRY_VOID(note_folder(path.substr(0, slash)));
    }
    if (!known_.try_emplace(path, Kind::file).second) return twice(path);
    if (known_.size() > limits_.files) return too_many();
    TRY(FileHandle file, target_->create_file(path, is_program ? kProgramMode : kFileMode));
    TRY_VOID(read_data(file.get(), name));
    if (const int reason = file.close(); reason != 0) return target_->cannot_write(path, reason);
    files_.push_back(path);
    return ok();
  }

  // Also notes the folders above it.
  Result<void> note_folder(const std::string& path) {
    for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
      const std::string folder = path.substr(0, end);
      const auto [place, is_new] = known_.try_emplace(folder, Kind::folder);
      if (place->second == Kind::file) return twice(folder);
      if (known_.size() > limits_.files) return too_many();
      if (end == path.npos) return ok();
    }
  }

  // Reads all of a member's data, into `file` unless that is negative. The size in its header is
  // not trusted.
  Result<void> read_data(int file, std::string_view name) {
    for (std::uint64_t of_file = 0;;) {
      if (stop_.stop_requested()) return fail(errc::cancelled, "cancelled");
      const auto size = archive_read_data(reader_.get(), block_.data(), block_.size());
      if (size == 0) return ok();
      if (size < 0) return damaged(reader_);
      of_file += static_cast<std::uint64_t>(size);
      bytes_ += static_cast<std::uint64_t>(size);
      if (of_file > limits_.file_bytes) return too_long(shown_name(name), limits_.file_bytes);
      if (bytes_ > limits_.bytes) return too_long("it", limits_.bytes);
      if (file < 0) continue;
      const int reason = write_bytes(file, {block_.data(), static_cast<std::size_t>(size)});
      if (reason != 0) return target_->cannot_write(name, reason);
    }
  }

  [[nodiscard]] std::unexpected<Error> too_many() const {
    return archive_is_refused("it has more than " + std::to_string(limits_.files) + " files");
  }
  static std::unexpected<Error> too_long(const std::string& what, std::uint64_t most) {
    return archive_is_refused(what + " unpacks to more than " + std::to_string(most) + " bytes");
  }
  static std::unexpected<Error> twice(std::string_view path) {
    return archive_is_refused(shown_name(path) + " is in it twice");
  }

  enum class Kind { file, folder };

  Reader reader_;
  int worst_;  // the worst accepted status: tar archives have oddities that do no harm
  FreshFolder* target_;
  const NameRule& rule_;
  const Limits& limits_;
  const std::stop_token& stop_;
  std::string block_;
  std::uint64_t bytes_ = 0;
  std::map<std::string, Kind, std::less<>> known_;
  std::vector<std::string> files_;
};

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  const std::string lower = ascii_lower(trimmed(name));
  const auto* const found = std::ranges::find(kFormatNames, lower, &FormatName::name);
  if (found == kFormatNames.end()) return std::nullopt;
  return found->format;
}

std::optional<Format> format_of_file(std::string_view file_name) {
  const std::string lower = ascii_lower(file_name);
  for (const FormatName& known : kFormatNames) {
    if (lower.ends_with("." + std::string(known.name))) return known.format;
  }
  return std::nullopt;
}

NameRule strip_components(unsigned count) {
  return [count](std::string_view name) { return stripped(name, count); };
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t kShown = 200;
  std::string shown = harmless_text(name.substr(0, kShown), "?");
  std::ranges::replace_if(shown, [](char c) { return c == '\n' || c == '\t'; }, '?');
  return in_quotes(shown + (name.size() > kShown ? "..." : ""));
}

Result<void> check_member_path(std::string_view path) {
  if (path.empty() || path.size() > kMostBytes) return bad_name(path, "is too long a name");
  const bool acts = path.find_first_of("\t\n") != path.npos || harmless_text(path, "?") != path;
  if (acts) return bad_name(path, "has invisible characters");
  const auto parts = split(path, '/');
  for (const std::string_view part : parts) {
    if (part.empty() || part == "." || part == "..") {
      return bad_name(path, "leads out of its folder");
    }
    if (is_git_name(part)) return bad_name(path, "is git's own folder, which can name programs");
    if (part.size() > kMostPartBytes) return bad_name(path, "is too long a name");
  }
  if (parts.size() > kMostParts) return bad_name(path, "is in too many folders");
  return ok();
}

Result<std::vector<std::string>> unpack(const fs::path& archive, Format format,
                                        const fs::path& folder, const NameRule& rule,
                                        const Limits& limits, const std::stop_token& stop) {
  TRY_VOID(load_libarchive());
  const NamesInUtf8 names;
  TRY(const FileHandle file, open_archive(archive, limits.archive_bytes));
  TRY(Reader reader, reader_for(format));
  if (archive_read_open_fd(reader.get(), file.get(), kBlock) != ARCHIVE_OK) return damaged(reader);
  // One compression is normal; nested ones may be endless and never yield a member.
  if (archive_filter_count(reader.get()) > 2) return archive_is_refused("it is compressed twice");
  TRY(FreshFolder target, FreshFolder::open(folder));
  TRY(auto files, Unpacking(std::move(reader), format, &target, rule, limits, stop).run());
  target.keep();
  return files;
}

void remove_contents(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : entries_in(folder, ignored)) fs::remove_all(entry.path(), ignored);
}

FileHandle folder_below(int root, std::string_view path) {
  FileHandle here(::openat(root, ".", kFolderFlags));
  for (std::size_t at = 0; here.is_open() && at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part(path.substr(at, end - at));
    if (::mkdirat(here.get(), part.c_str(), kFolderMode) != 0 && errno != EEXIST) return {};
    here = FileHandle(::openat(here.get(), part.c_str(), kFolderFlags));
    at = end + 1;
  }
  return here;
}

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

std::string last_part(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace clawperator::unpack
