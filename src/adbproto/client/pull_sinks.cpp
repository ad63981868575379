#include "adbproto/client/pull_sinks.hpp"

#include <fcntl.h>

#include <cerrno>

namespace adbproto {
namespace {

std::string quoted(const std::string& path) { return "'" + path + "'"; }

}  // namespace

Result<FolderPtr> open_folder_of(const std::string& path) {
  if (path.empty()) {
    return fail(Errc::file_write_failed, "cannot create '': No such file or directory");
  }
  const std::size_t slash = path.rfind('/');
  if (slash + 1 == path.size()) {
    return fail(Errc::file_write_failed, "cannot create " + quoted(path) + ": Is a directory");
  }
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  auto opened =
      std::make_shared<FileHandle>(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened->is_open()) return opened;
  return file_failure(Errc::file_write_failed, "cannot create file/directory " + quoted(path),
                      errno);
}

}  // namespace adbproto
