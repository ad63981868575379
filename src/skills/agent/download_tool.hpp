#pragma once
// A skill's tool by download: fetched, checked and unpacked beside its folder, then put in place.

#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "base/file_handle.hpp"
#include "skills/agent/install_plan.hpp"

namespace clawperator::agent_skills {

// The bytes of the file that was downloaded; it stays beside what it held. Blocks. After an error
// what was there before is there as before. agent_install_failed (the server's status, the wrong
// SHA-256), archive_refused, file_write_failed, execution_conflict_in_flight, cancelled, and what
// open_http has.
Result<std::uint64_t> download_tool(const ToolDownload& download,
                                    const std::filesystem::path& state,
                                    std::chrono::milliseconds limit, const std::stop_token& stop);

// The folder of a skill's tools, <state>/tools/<key>: what is to come there is made ready beside
// it, by one at a time, and put in place by renames. No link is followed from that folder down.
class ToolStaging {
 public:
  // Makes both folders. What somebody who was killed left there is gone.
  // execution_conflict_in_flight while somebody else is at it, file_write_failed.
  static Result<ToolStaging> open(const std::filesystem::path& state, const std::string& key);
  ~ToolStaging();
  ToolStaging(ToolStaging&&) noexcept = default;
  ToolStaging& operator=(ToolStaging&&) = delete;
  ToolStaging(const ToolStaging&) = delete;
  ToolStaging& operator=(const ToolStaging&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  // Whether `below` of the skill's folder, or what of it is there, is folders and no links.
  [[nodiscard]] Result<void> check_target(std::string_view below) const;

  // What is in `folder` of the staging goes to `below` of the skill's folder, file by file, each as
  // a whole; what has other names there stays. Nothing is moved where a folder and a file have the
  // same name.
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
