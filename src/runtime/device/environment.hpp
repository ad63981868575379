#pragma once
// The user's environment as the device layer needs it: variables and the folders of one user.

#include <filesystem>

#include "adbproto/link/task.hpp"

namespace clawperator {

// An empty variable counts as unset.
std::optional<std::string> environment_variable(const char* name);

// ~/.clawperator; empty when HOME is unset.
std::filesystem::path state_folder();
// XDG_CACHE_HOME/clawperator, else ~/.cache/clawperator; empty when neither is known.
std::filesystem::path cache_folder();
// TMPDIR, where that is a folder; else /tmp.
std::filesystem::path temp_folder();

// What a user names as an output: a link is followed to its target, a regular or absent file is
// replaced whole, anything else (a device, a pipe with a reader) is written to, as long as it takes
// something every 30 s. The folder must exist; `bytes` must live until the task ends.
Task<void> write_output(std::filesystem::path path, std::string_view bytes);

// A serial or other foreign text as a file name: everything but [A-Za-z0-9._-] becomes '_', long
// names end in a hash.
std::string file_name_of(std::string_view text);

}  // namespace clawperator
