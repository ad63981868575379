#include "skills/install/download_tool.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "adbproto/crypto/sha256.hpp"
#include "base/file_handle.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/http_stream.hpp"
#include "skills/install/install_result.hpp"
#include "skills/install/tool_folder.hpp"
#include "skills/unpack/fresh_folder.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostDownloaded = 2ULL << 30;
constexpr unpack::Limits kToolLimits{.archive_bytes = kMostDownloaded,
                                     .files = 100'000,
                                     .bytes = 6ULL << 30,
                                     .file_bytes = 4ULL << 30};
constexpr std::string_view kFiles = "files";  // what goes to the target

// A new file that is hashed as it is written.
class HashedFile final : public HttpSink {
 public:
  explicit HashedFile(fs::path path) : path_(std::move(path)) {}

  Result<void> begin(const HttpBody&) override {
    file_ = FileHandle(
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file_.is_open()) return cannot_write(errno);
    return ok();
  }

  Result<void> take(std::string_view bytes) override {
    hash_.update(as_bytes(bytes));
    size_ += bytes.size();
    const int reason = unpack::write_bytes(file_.get(), bytes);
    return reason == 0 ? ok() : cannot_write(reason);
  }

  Result<void> close() {
    const int reason = file_.close();
    return reason == 0 ? ok() : cannot_write(reason);
  }
  [[nodiscard]] std::string digest() { return hash_.finish(); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  [[nodiscard]] std::unexpected<Error> cannot_write(int reason) const {
    return fail(errc::file_write_failed,
                "cannot write " + path_.string() + ": " + std::strerror(reason));
  }

  fs::path path_;
  FileHandle file_;
  Sha256 hash_;
  std::uint64_t size_ = 0;
};

}  // namespace

Result<DownloadedTool> download_tool(const ToolDownload& download, const fs::path& state,
                                     std::chrono::milliseconds limit, const std::stop_token& stop) {
  constexpr long kHttpOk = 200;
  TRY(const ToolStaging staging, ToolStaging::open(state, download.key));
  TRY_VOID(staging.check_target(download.below));
  const fs::path archive = staging.path() / "download";
  HashedFile file(archive);
  const HttpRequest request{
      .url = download.url, .max_bytes = kMostDownloaded, .limits = {.whole = limit}};
  TRY(const long status, fetch(request, &file, stop));
  if (status != kHttpOk) return fail(errc::agent_install_failed, download_failure(status));
  TRY_VOID(file.close());
  if (!download.sha256.empty()) {
    const std::string digest = file.digest();
    if (digest != download.sha256) {
      return fail(errc::agent_install_failed, "the download has the SHA-256 " + digest + ", not " +
                                                  download.sha256 + "; nothing was installed");
    }
  }
  const fs::path files = staging.path() / kFiles;
  if (download.archive) {
    TRY_VOID(unpack::unpack(archive, *download.archive, files,
                            unpack::strip_components(download.strip), kToolLimits, stop));
  } else if (::mkdir(files.c_str(), 0755) != 0) {
    return fail(errc::file_write_failed,
                "cannot make " + files.string() + ": " + std::strerror(errno));
  }
  // The download itself stays, unless it holds something of its own name.
  const fs::path kept = files / download.file_name;
  struct stat found{};
  if (::lstat(kept.c_str(), &found) != 0 && ::rename(archive.c_str(), kept.c_str()) != 0) {
    return fail(errc::file_write_failed,
                "cannot write " + kept.string() + ": " + std::strerror(errno));
  }
  if (stop.stop_requested()) return fail(errc::cancelled, "cancelled");
  TRY_VOID(staging.put_in_place(kFiles, download.below));
  return DownloadedTool{.bytes = file.size()};
}

}  // namespace clawperator::agent_skills
