#include "skills/unpack/folder_below.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

namespace clawperator::unpack {

namespace {

constexpr int kBelowFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kBelowMode = 0755;

}  // namespace

FileHandle folder_below(int root, std::string_view path) {
  FileHandle here(::openat(root, ".", kBelowFlags));
  for (std::size_t at = 0; here.is_open() && at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string part(path.substr(at, end - at));
    if (::mkdirat(here.get(), part.c_str(), kBelowMode) != 0 && errno != EEXIST) return {};
    here = FileHandle(::openat(here.get(), part.c_str(), kBelowFlags));
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
