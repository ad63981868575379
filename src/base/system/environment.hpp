#pragma once
// Variables of this process, and the user's folders.

#include <filesystem>

#include "base/prelude.hpp"

namespace base {

// An empty variable counts as unset.
std::optional<std::string> environment_variable(const char* name);

// HOME, else the folder that the system has for this user; empty when neither is known.
std::filesystem::path home_folder();
// ~/.clawperator; empty when the home is unknown.
std::filesystem::path state_folder();
// XDG_CACHE_HOME/clawperator, else ~/.cache/clawperator; empty when neither is known.
std::filesystem::path cache_folder();
// XDG_CONFIG_HOME, else ~/.config; empty when neither is known.
std::filesystem::path config_home();
// TMPDIR, if it is a folder; else /tmp.
std::filesystem::path temp_folder();

// A serial or other foreign text as a file name: characters outside [A-Za-z0-9._-] become '_', and
// a long name ends in a hash.
std::string file_name_of(std::string_view text);

}  // namespace base
