#pragma once
// The ways to install a skill's requirements as a list shows them, and which one an id names. Pure.

#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct InstallOption {
  std::string id{};
  InstallSpec::Kind kind = InstallSpec::Kind::brew;
  std::string label{};
  std::vector<std::string> bins{};
};

// The facts about this computer that the choice depends on.
struct InstallHost {
  std::string_view platform = "linux";  // of linux, darwin, win32
  bool has_brew = false;                // on the PATH
};

// "brew", "node", ...
std::string_view name_of(InstallSpec::Kind kind);

// The command that installs a package for every user of a node: `npm install -g`, ... Its first
// word is the manager's name. It runs no script of the package.
std::span<const std::string_view> node_install_words(NodeInstaller manager);

// The ways for this platform: all of them where each is a download, else the preferred one.
std::vector<InstallOption> install_options(const Entry& entry, const Config& config,
                                           const InstallHost& host);

// By its own id, else by its kind and its number among all of the skill's ("node-1"). Numbers among
// those for the platform alone are accepted as well. Null: no such id.
const InstallSpec* install_of(const Metadata& metadata, std::string_view id,
                              std::string_view platform);

// The id of one of `metadata.install`.
std::string install_id(const Metadata& metadata, const InstallSpec& spec);

}  // namespace clawperator::agent_skills
