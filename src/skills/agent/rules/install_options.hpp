#pragma once
// The ways to install what a skill needs that somebody is shown, and which one an id means. Pure.

#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct InstallOption {
  std::string id{};
  InstallSpec::Kind kind = InstallSpec::Kind::brew;
  std::string label{};
  std::vector<std::string> bins{};
};

// What of this computer the choice depends on.
struct InstallHost {
  std::string_view platform = "linux";  // of linux, darwin, win32
  bool has_brew = false;                // on the PATH
};

// "brew", "node", ...
std::string_view name_of(InstallSpec::Kind kind);

// What installs a package for every user of a node: `npm install -g`, ... Its first word is the
// manager's name. No script of the package is run.
std::span<const std::string_view> node_install_words(NodeInstaller manager);

// Those that are for this platform: every one where all are downloads, else the preferred one.
std::vector<InstallOption> install_options(const Entry& entry, const Config& config,
                                           const InstallHost& host);

// Its own id, else its kind and its number among all of the skill's ("node-1"). Those who number
// only what is for their platform are understood as well. Null: there is none of that id.
const InstallSpec* install_of(const Metadata& metadata, std::string_view id,
                              std::string_view platform);

// Of one of `metadata.install`.
std::string install_id(const Metadata& metadata, const InstallSpec& spec);

}  // namespace clawperator::agent_skills
