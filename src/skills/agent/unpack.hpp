#pragma once
// Unpacks an archive into a folder, by libarchive, which is loaded with the first one. Nothing in
// the archive is trusted: an absolute name, a `..`, a link, a device, a repeated name, too many
// files or too many bytes refuse the whole archive, and no file of it stays.

#include <sys/types.h>

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "base/file_handle.hpp"

namespace clawperator::unpack {

enum class Format { tar_gz, tar_bz2, zip };

// "tar.gz", "tgz", "tar.bz2", "tbz2", "zip"; by a file's name: its ending. In any case of letters.
std::optional<Format> format_named(std::string_view name);
std::optional<Format> format_of_file(std::string_view file_name);

struct Limits {
  std::uint64_t archive_bytes = 1ULL << 29;  // of the archive itself
  std::uint64_t files = 20'000;              // and folders
  std::uint64_t bytes = 1ULL << 30;          // unpacked, including files that are left out
  std::uint64_t file_bytes = 1ULL << 29;
};

// The target of a member: its path relative to the folder, empty to leave it out, or an error that
// refuses the archive. `name`: the member's name in the archive; a folder's ends in '/'. A path
// that leads out of the folder, or has control or invisible characters, refuses the archive, too.
using NameRule = std::function<Result<std::string>(std::string_view name)>;

// Refuses absolute names, `..` and `\`; removes the first `count` parts, and leaves out members
// without further parts. As with tar, a '.' at the front is a part.
NameRule strip_components(unsigned count);

// A path below a folder: parts of at most 255 bytes, none of them is_git_name, in all 1024 bytes
// and 64 parts. archive_refused.
Result<void> check_member_path(std::string_view path);

// In quotes and at most 200 bytes, for a message: control and invisible characters become question
// marks.
std::string shown_name(std::string_view name);

// Unpacks the regular files and the folders of `archive` into `folder`, which must be empty or
// missing; its parent exists. A file that any user may execute stays executable; other modes,
// owners and times are not kept. Blocks. archive_refused, io, file_write_failed, cancelled,
// unsupported (no libarchive); after an error the folder is unchanged. Returns the files' paths, in
// order.
Result<std::vector<std::string>> unpack(const std::filesystem::path& archive, Format format,
                                        const std::filesystem::path& folder, const NameRule& rule,
                                        const Limits& limits, const std::stop_token& stop);

// The folder itself stays.
void remove_contents(const std::filesystem::path& folder);

// Opens the folder at that path below `root`, an open folder; missing parts are made. An empty path
// is `root` itself. Not open: errno has the reason, ELOOP or ENOTDIR where a link is in the way.
FileHandle folder_below(int root, std::string_view path);

// "a/b/c": "a/b" and "c"; of "c" the first is empty.
std::string_view parent_of(std::string_view path);
std::string last_part(std::string_view path);

}  // namespace clawperator::unpack
