#pragma once
// Where the processes of one user meet: at the daemon's socket, and at the locks of devices.
//
//   1. XDG_RUNTIME_DIR      2. /run/user/UID      3. /tmp/clawperator-UID, made where it is absent
//
// The first counts that is this user's alone: a folder and no link, of this uid, of mode 0700.
// TMPDIR plays no part: cron, ssh and a desktop differ in it. Locks are taken in the third one,
// too: the first two come and go with a session.

#include <sys/types.h>

#include <filesystem>

#include "base/error.hpp"

namespace clawperator {

struct FolderFacts {  // as lstat has them
  bool is_folder = false;
  uid_t owner = 0;
  mode_t mode = 0;
};

struct RuntimeQuestion {
  std::optional<std::string> named{};  // XDG_RUNTIME_DIR
  std::optional<std::string> locks{};  // CLAWPERATOR_LOCK_DIR: locks are taken there alone
  uid_t user = 0;
  std::function<std::optional<FolderFacts>(const std::filesystem::path&)> read{};
};

struct RuntimeFolders {
  std::filesystem::path main{};                // of the daemon's socket
  std::vector<std::filesystem::path> locks{};  // the last one is common to all processes
  std::vector<std::string> warnings{};         // which folder is left out, and why
};

// Pure. runtime_folder_unusable: the message names the folder, and its owner where that is another
// user; the hint contains what to do.
base::Result<RuntimeFolders> choose_runtime_folders(const RuntimeQuestion& question);

// Those of this process; the last one is made where it is absent. They stay the same while the
// environment names the same places, and they are still this user's alone.
base::Result<RuntimeFolders> runtime_folders();
// The same, found anew: where one of them cannot be used.
base::Result<RuntimeFolders> find_runtime_folders();

// Whether it is one that this user alone may enter.
bool is_private_folder(const std::filesystem::path& folder);

}  // namespace clawperator
