#include "adbproto/client/pull_sinks.hpp"

#include <fcntl.h>

#include <cerrno>

#include "adbproto/link/await_writable.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

constexpr auto kLookForReader = std::chrono::milliseconds(50);

}  // namespace

Task<void> FileSink::begin(const PullItem* item) {
  for (;;) {
    auto made = create(*item);
    if (made) {
      file_.emplace(*std::move(made));
      co_return ok();
    }
    if (made.error().code() != errc::closed) co_return std::unexpected(made.error());
    co_await sleep_for(kLookForReader);
  }
}

Task<void> FileSink::write(ByteView bytes) {
  while (!bytes.empty()) {
    CO_TRY(const std::size_t size, file_->write(bytes));
    bytes = bytes.subspan(size);
    if (!bytes.empty()) co_await await_writable(file_->descriptor());
  }
  co_return ok();
}

Result<FolderPtr> open_folder_of(const std::string& path) {
  if (path.empty()) {
    return fail(errc::file_write_failed, "cannot create '': No such file or directory");
  }
  const std::size_t slash = path.rfind('/');
  if (slash + 1 == path.size()) {
    return fail(errc::file_write_failed, "cannot create " + in_quotes(path) + ": Is a directory");
  }
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  auto opened =
      std::make_shared<FileHandle>(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened->is_open()) return opened;
  return file_failure(errc::file_write_failed, "cannot create file/directory " + in_quotes(path),
                      errno);
}

}  // namespace adbproto
