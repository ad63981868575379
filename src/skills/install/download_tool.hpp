#pragma once
// A skill's tool by download: fetched, checked and unpacked beside its folder, then put in place.

#include <chrono>
#include <filesystem>
#include <stop_token>

#include "base/error.hpp"
#include "skills/install/install_plan.hpp"

namespace clawperator::agent_skills {

struct DownloadedTool {
  std::uint64_t bytes = 0;  // of the file that was downloaded; it stays beside what it held
};

// Blocks. After an error what was there before is there as before. agent_install_failed (the
// server's status, the wrong SHA-256), archive_refused, file_write_failed, execution_conflict_in_
// flight, cancelled, and what open_http has.
Result<DownloadedTool> download_tool(const ToolDownload& download,
                                     const std::filesystem::path& state,
                                     std::chrono::milliseconds limit, const std::stop_token& stop);

}  // namespace clawperator::agent_skills
