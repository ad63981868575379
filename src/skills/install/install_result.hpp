#pragma once
// How an install ended, in the words that are published. Pure.

#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace clawperator::agent_skills {

struct InstallResult {
  bool ok = false;
  std::string message{};
  std::string out{};  // trimmed, as what follows
  std::string err{};
  std::optional<int> code{};  // an exit code; absent: it did not exit, or nothing was started
};

// {"ok":...,"message":...,"stdout":...,"stderr":...,"code":...}
std::string install_json(const InstallResult& result);

// agent_install_failed, `details` with what is beside the message.
Error install_error(const InstallResult& result);

// "Install failed (exit 1): error: no such formula": the line of stderr, else of stdout, that tells
// most, shortened.
std::string install_failure(std::optional<int> code, std::string_view out, std::string_view err);

// "Download failed (404 Not Found)"
std::string download_failure(long status);

}  // namespace clawperator::agent_skills
