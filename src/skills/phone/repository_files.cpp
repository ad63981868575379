#include "skills/phone/repository_files.hpp"

#include <fcntl.h>

#include <cerrno>

#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "runtime/fetch/part_file.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

Result<void> make_folders(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return error ? cannot_write(path, error.value()) : ok();
}

Result<void> write_new_file(const fs::path& path, std::string_view text, bool executable) {
  const FileHandle file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, executable ? 0777 : 0666));
  const int reason = file.is_open() ? write_bytes(file.get(), text) : errno;
  return reason == 0 ? ok() : cannot_write(path, reason);
}

Result<std::string> write_repository_files(const RepositoryOrder& order, const fs::path& folder,
                                           const fs::path& scratch, const std::stop_token& stop) {
  TRY_VOID(load_git());
  TRY(const auto repository, made_by_git<git_repository>([&](git_repository** out) {
        return git_repository_init(out, scratch.c_str(), 1);
      }));
  FetchWatch watch{.stop = stop, .limits = order.limits};
  TRY(const FetchedRef fetched, fetch_ref(repository.get(), order.url, order.ref, &watch));
  TRY(const TreeFiles files, files_of(repository.get(), fetched.commit, Reading::strict));
  TRY_VOID(make_folders(folder));
  for (const auto& [path, file] : files) {
    if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
    TRY(const std::string text, content_of(repository.get(), file.id));
    TRY_VOID(make_folders((folder / path).parent_path()));
    TRY_VOID(write_new_file(folder / path, text, file.executable));
  }
  return text_of(fetched.commit);
}

}  // namespace clawperator::phone_skills
