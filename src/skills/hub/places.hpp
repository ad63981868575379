#pragma once
// Where things are: the hub, the work folder and its skills, the lock file, the user's
// configuration. The hub has had two names, and so have its folders and variables: both are read;
// which one is written where neither is there yet is for the user to say.
//
//   WORKDIR/skills/<slug>/          the skills (--dir)
//   WORKDIR/.clawdhub/lock.json     which they are
//   WORKDIR/skills/<slug>/.clawdhub/origin.json
//   ~/.config/clawdhub/config.json  {"registry", "token"}

#include <filesystem>

#include "base/error.hpp"

namespace clawperator::hub {

enum class Names { clawdhub, clawhub };
std::string_view name_of(Names names);  // "clawdhub"

// Of CLAWHUB_..., else of CLAWDHUB_...
std::optional<std::string> hub_variable(std::string_view name);

// What the command line says; empty: nothing.
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
  std::filesystem::path lock_folder{};  // WORKDIR/.clawdhub or .clawhub, the one that is there
  std::string site{};
  bool is_site_given = false;
  std::string registry{};  // empty: the site names it
  Names names = Names::clawdhub;
  // What its user should know, from any thread.
  std::function<void(const std::string&)> warn = [](const std::string&) {};
};

// USAGE for a URL that may not be asked. Without --workdir and CLAWHUB_WORKDIR the work folder is
// the current one if it has a lock folder, else what `default_workdir` says, else the current one.
Result<Places> find_places(const PlaceOptions& options,
                           const std::function<std::filesystem::path()>& default_workdir);

// ".clawhub" or ".clawdhub": a folder of a hub's own, in a work folder and in each skill.
bool is_marker(std::string_view folder_name);

// https, or http to this computer; no '?', no '#'. Without the slashes at the end.
Result<std::string> checked_base(std::string_view what, std::string_view url);
// "https://host:port" of a URL that was checked.
std::string_view origin_of(std::string_view url);

struct HubConfig {
  std::string registry{};
  std::string token{};
};
// What goes into a header, whole: 8 to 4096 characters that show.
bool is_token(std::string_view text);

// What cannot be read is empty, and so is a token that is none.
HubConfig read_hub_config(Names names);
// Its user's alone; members of others stay, and one that is damaged is kept aside. Its path; one
// that is a link stays one. file_unreadable, file_write_failed.
Result<std::filesystem::path> write_hub_config(const Places& places, const HubConfig& config);
// In the files of both names.
Result<void> forget_token();

}  // namespace clawperator::hub
