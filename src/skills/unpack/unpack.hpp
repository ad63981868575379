#pragma once
// An archive into a folder, by libarchive, which is loaded with the first one. Nothing of the
// archive is trusted: an absolute name, a `..`, a link, a device, a name twice, too many files or
// too many bytes refuse the whole, before or while the draft is written; the target is changed by
// renames at the end.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace clawperator::unpack {

enum class Format { tar_gz, tar_bz2, zip };

// "tar.gz", "tgz", "tar.bz2", "tbz2", "zip"; by a file's name: its ending.
std::optional<Format> format_named(std::string_view name);
std::optional<Format> format_of_file(std::string_view file_name);

struct Limits {
  std::uint64_t files = 20'000;
  std::uint64_t bytes = 1ULL << 30;  // unpacked
  std::uint64_t file_bytes = 1ULL << 29;
};

// What becomes of a member: its path relative to the target, empty to leave it out, or an error
// that refuses the archive. `name` is the member's as it stands in the archive.
using NameRule = std::function<Result<std::string>(std::string_view name)>;

// Refuses absolute names, `..` and `\`; takes the first `count` parts off, and leaves out what has
// no more.
NameRule strip_components(unsigned count);

// Unpacks the regular files of `archive` below `folder`, which must exist and be empty or new.
// Executable bits are kept for tar, everything else of modes and times is not. archive_refused,
// io, file_write_failed, cancelled, unsupported (no libarchive). The paths written, in order.
Result<std::vector<std::string>> unpack(const std::filesystem::path& archive, Format format,
                                        const std::filesystem::path& folder, const NameRule& rule,
                                        const Limits& limits, const std::stop_token& stop);

}  // namespace clawperator::unpack
