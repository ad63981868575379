#include "skills/hub/plain_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/files.hpp"

namespace clawperator::hub {

namespace fs = std::filesystem;

Result<std::optional<std::string>> read_plain_file(const fs::path& path, std::size_t limit) {
  const auto unreadable = [&path](const std::string& why) {
    return fail(errc::file_unreadable, "cannot read " + path.string() + ": " + why);
  };
  const FileHandle file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  if (!file.is_open() && errno == ELOOP) return unreadable("it is a link");
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) return unreadable(std::strerror(errno));
  if (!S_ISREG(found.st_mode)) return unreadable("it is no plain file");
  auto text = read_file(file, path, limit);
  if (!text && text.error().code() == errc::limit) {
    return unreadable("it is longer than " + std::to_string(limit));
  }
  return with_code(errc::file_unreadable, std::move(text));
}

}  // namespace clawperator::hub
