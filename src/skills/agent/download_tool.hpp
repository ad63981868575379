#pragma once
// Downloads a skill's tool: fetches, checks and unpacks it beside its folder, then moves it into
// place.

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "skills/agent/install_plan.hpp"

namespace clawperator::agent_skills {

// Returns the number of downloaded bytes; the file stays beside its unpacked content. Blocks. After
// an error the earlier content is unchanged. agent_install_failed (the server's status, the wrong
// SHA-256), archive_refused, file_write_failed, execution_conflict_in_flight, cancelled, and the
// errors of open_http.
Result<std::uint64_t> download_tool(const ToolDownload& download,
                                    const std::filesystem::path& state,
                                    std::chrono::milliseconds limit, const std::stop_token& stop);

// The folder of a skill's tools, <state>/tools/<key>. New content is prepared beside it, by one
// process at a time, and moved into place by renames. No link is followed below that folder.
class ToolStaging {
 public:
  // Makes both folders. Removes the rest of a killed run. execution_conflict_in_flight while
  // another process prepares content, file_write_failed.
  static Result<ToolStaging> open(const std::filesystem::path& state, const std::string& key);
  ~ToolStaging();
  ToolStaging(ToolStaging&&) noexcept = default;
  ToolStaging& operator=(ToolStaging&&) = delete;
  ToolStaging(const ToolStaging&) = delete;
  ToolStaging& operator=(const ToolStaging&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Whether the existing part of `below` in the skill's folder has folders only, and no links.
  [[nodiscard]] Result<void> check_target(std::string_view below) const;

  // Moves the content of `folder` in the staging to `below` in the skill's folder, each file as a
  // whole; files of other names stay there. Moves nothing where a folder and a file have the same
  // name.
  [[nodiscard]] Result<void> put_in_place(std::string_view folder, std::string_view below) const;

 private:
  ToolStaging(std::filesystem::path path, std::filesystem::path tools, std::string key,
              FileHandle lock);

  std::filesystem::path path_;
  std::filesystem::path tools_;
  std::string key_;
  FileHandle lock_;
};

}  // namespace clawperator::agent_skills
