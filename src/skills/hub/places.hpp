#pragma once
// The places of a hub's client: the hub, the work folder and its skills, the lock file, the user's
// configuration. The hub has had two names, and so have its folders and variables. Both are read;
// the user chooses the name of new ones.
//
//   WORKDIR/skills/<slug>/          the skills (--dir)
//   WORKDIR/.clawdhub/lock.json     their list
//   WORKDIR/skills/<slug>/.clawdhub/origin.json
//   ~/.config/clawdhub/config.json  {"registry", "token"}

#include <filesystem>

#include "base/error.hpp"

namespace clawperator::hub {

enum class Names { clawdhub, clawhub };
std::string_view name_of(Names names);  // "clawdhub"

// Of CLAWHUB_..., else of CLAWDHUB_...
std::optional<std::string> hub_variable(std::string_view name);

// From the command line; empty: not given.
struct PlaceOptions {
  std::string workdir{};
  std::string dir{};
  std::string site{};
  std::string registry{};
  Names names = Names::clawdhub;
};

struct Places {
  std::filesystem::path workdir{};
  std::filesystem::path skills{};       // its folder of skills
  std::filesystem::path lock_folder{};  // WORKDIR/.clawdhub or .clawhub, the one that exists
  std::string site{};
  bool is_site_given = false;
  std::string registry{};  // empty: the site names it
  Names names = Names::clawdhub;
  // Called with warnings for the user, from any thread.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// USAGE for a URL that must not be queried. Without --workdir and CLAWHUB_WORKDIR the work folder
// is the current one if it has a lock folder, else `default_workdir`'s result, else the current
// one.
Result<Places> find_places(const PlaceOptions& options,
                           const std::function<std::filesystem::path()>& default_workdir);

// ".clawhub" or ".clawdhub": a hub's own folder, in a work folder and in each skill.
bool is_marker(std::string_view folder_name);

// https, or http to this computer; no '?', no '#'. Without the slashes at the end.
Result<std::string> checked_base(std::string_view what, std::string_view url);
// "https://host:port" of a URL that was checked.
std::string_view origin_of(std::string_view url);

struct HubConfig {
  std::string registry{};
  std::string token{};
};
// A token that fits into a header: 8 to 4096 visible characters.
bool is_token(std::string_view text);

// A file that is missing, cannot be read or is invalid counts as empty, and so does an invalid
// token. write_hub_config is stricter: there a file that cannot be read is an error.
HubConfig read_hub_config(Names names);
// Writes a file that is private to its user; unknown members stay, and a damaged file is kept
// aside. Returns its path; a link stays a link. file_unreadable, file_write_failed.
Result<std::filesystem::path> write_hub_config(const Places& places, const HubConfig& config);
// From the files of both names.
Result<void> forget_token();

}  // namespace clawperator::hub
