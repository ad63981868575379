#pragma once
// The plan of an installation: which programs are called with which words, or what is downloaded
// and where it goes. Pure: facts about this computer are arguments.

#include <filesystem>

#include "base/error.hpp"
#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/skill.hpp"
#include "skills/agent/unpack.hpp"

namespace clawperator::agent_skills {

// The facts about this computer that a plan depends on.
struct InstallTools {
  std::string brew{};  // how it is called: "brew" where it is on the PATH, else its path; or empty
  bool has_uv = false;
  bool has_go = false;
};

struct InstallPlaces {
  std::filesystem::path state{};  // tools go to <state>/tools/<key>
  std::filesystem::path home{};   // the expansion of '~'
};

struct InstallStep {
  std::vector<std::string> words{};
  std::string failure{};  // the message after a failure; empty: the one with the exit code
};

struct ToolDownload {
  std::string url{};
  std::string file_name{};
  std::string key{};               // the folder below <state>/tools
  std::string below{};             // the target below that folder; empty: the folder itself
  std::filesystem::path target{};  // both, as a path
  std::optional<unpack::Format> archive{};  // its content is unpacked
  unsigned strip = 0;
  std::string sha256{};  // lower case; empty: not checked
};

struct InstallPlan {
  std::vector<InstallStep> steps{};  // none for a download
  std::optional<ToolDownload> download{};
};

// agent_install_failed with the published message: a field is missing, would become an option, or
// leads out of the folder; no brew, uv or go.
Result<InstallPlan> install_plan(const Entry& entry, const InstallSpec& spec, const Config& config,
                                 const InstallTools& tools, const InstallPlaces& places);

// {"steps":[["brew","install","x"]]} or {"download":{"url":...}}.
std::string plan_json(const InstallPlan& plan);

// A skill's key as a folder's name: the key itself where that is one, else with a hash.
std::string tools_folder_name(std::string_view key);

// The published default of `skills.install`; install_limit keeps a given one within 1 s and 15 min.
inline constexpr std::chrono::milliseconds kInstallLimit{300'000};
std::chrono::milliseconds install_limit(std::optional<std::chrono::milliseconds> wanted);

}  // namespace clawperator::agent_skills
