#pragma once
// A file while it is downloaded: FILE.part beside it, locked against a second download, complete
// only when it becomes FILE by a rename. The received part stays for the next try.

#include <filesystem>
#include <stop_token>

#include "base/file_handle.hpp"
#include "runtime/fetch/http_stream.hpp"

namespace clawperator {

// How much of the file is here; `size` is absent while unknown.
using OnProgress = std::function<void(std::uint64_t received, std::optional<std::uint64_t> size)>;

class PartFile final : public HttpSink {
 public:
  // Makes the folder. file_write_failed; execution_conflict_in_flight when another process
  // downloads it.
  static Result<std::unique_ptr<PartFile>> open(std::filesystem::path target,
                                                OnProgress on_progress);
  ~PartFile() override;
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  // Continues at the end of the existing part, or starts over where the server does. After a full
  // disk it frees the space again.
  Result<void> begin(const HttpBody& body) override;
  Result<void> take(std::string_view bytes) override;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  Result<void> truncate();
  void discard();
  // It is on the disk and has its name; call nothing else afterwards.
  Result<void> become_target();

 private:
  PartFile(std::filesystem::path target, OnProgress on_progress);
  Result<void> open_locked();
  [[nodiscard]] std::unexpected<Error> cannot(std::string_view verb, int reason) const;

  std::filesystem::path target_;
  std::filesystem::path path_;
  OnProgress on_progress_;
  FileHandle file_;
  std::uint64_t size_ = 0;
  std::optional<std::uint64_t> whole_;
};

// 64 lower-case hex digits; io when it cannot be read, cancelled.
Result<std::string> file_sha256(const std::filesystem::path& path, const std::stop_token& stop);

// `path` gets the content of `from`, atomically: a hard link, or a copy where links are not
// supported.
Result<void> link_file(const std::filesystem::path& from, const std::filesystem::path& path);

}  // namespace clawperator
