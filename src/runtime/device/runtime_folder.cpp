#include "runtime/device/runtime_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/error_members.hpp"
#include "base/system/environment.hpp"
#include "runtime/device/errc.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOthers = 077;

fs::path common_folder(uid_t user) { return "/tmp/clawperator-" + std::to_string(user); }

std::string octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777));
  return text;
}

// The fault of a folder; nullopt: none.
struct Fault {
  std::string what;
  std::string remedy;
};

std::optional<Fault> fault_of(const fs::path& folder, const RuntimeQuestion& question) {
  const std::string name = folder.string();
  const auto fault = [&name](const std::string& what, std::string remedy) {
    return Fault{name + " " + what, std::move(remedy)};
  };
  if (!folder.is_absolute()) return fault("is no absolute path", "name it from the root on");
  const auto facts = question.read(folder);
  if (!facts) return fault("is not there", "make it, with mode 0700");
  if (!facts->is_folder) return fault("is no folder", "remove it");
  if (facts->owner != question.user) {
    return fault("belongs to user " + std::to_string(facts->owner) + ", not to user " +
                     std::to_string(question.user),
                 "its owner or an administrator has to remove it");
  }
  if ((facts->mode & kOthers) == 0) return std::nullopt;
  return fault("can be entered by others (mode " + octal(facts->mode) + ")", "chmod 700 " + name);
}

std::unexpected<Error> unusable(const Fault& fault, const std::string& variable) {
  ErrorMembers members;
  members.text("hint", fault.remedy + ", or set " + variable +
                           " to a folder of this user alone (mode 0700)");
  return std::unexpected(
      Error(errc::runtime_folder_unusable, "No folder for locks: " + fault.what, members.str()));
}

}  // namespace

Result<RuntimeFolders> choose_runtime_folders(const RuntimeQuestion& question) {
  RuntimeFolders folders;
  const fs::path common = common_folder(question.user);
  const fs::path system = "/run/user/" + std::to_string(question.user);
  const auto common_fault = fault_of(common, question);
  if (question.named) {
    const auto fault = fault_of(*question.named, question);
    if (!fault) folders.main = *question.named;
    if (fault) folders.warnings.push_back("XDG_RUNTIME_DIR is not used: " + fault->what);
  }
  if (folders.main.empty() && !fault_of(system, question)) folders.main = system;
  if (folders.main.empty() && !common_fault) folders.main = common;
  if (folders.main.empty()) return unusable(*common_fault, "XDG_RUNTIME_DIR");
  if (question.locks) {
    if (const auto fault = fault_of(*question.locks, question)) {
      return unusable(*fault, "CLAWPERATOR_LOCK_DIR");
    }
    folders.locks = {*question.locks};
    return folders;
  }
  folders.locks = {folders.main};
  if (common_fault) {
    folders.warnings.push_back(common_fault->what +
                               ": commands with another XDG_RUNTIME_DIR are not kept off a device "
                               "that is busy (" +
                               common_fault->remedy + ")");
  } else if (common != folders.main) {
    folders.locks.push_back(common);
  }
  return folders;
}

namespace {

std::optional<FolderFacts> read_facts(const fs::path& folder) {
  struct stat found{};
  if (::lstat(folder.c_str(), &found) != 0) return std::nullopt;
  return FolderFacts{S_ISDIR(found.st_mode), found.st_uid, found.st_mode};
}

// Finding them is half of a lock's cost, so the last ones are kept.
struct KeptFolders {
  RuntimeQuestion question{};
  RuntimeFolders folders{};  // main is empty: none
};

KeptFolders& last_found() {
  static KeptFolders kept;
  return kept;
}

RuntimeQuestion question_of_process() {
  return {.named = environment_variable("XDG_RUNTIME_DIR"),
          .locks = environment_variable("CLAWPERATOR_LOCK_DIR"),
          .user = ::getuid(),
          .read = read_facts};
}

}  // namespace

Result<RuntimeFolders> runtime_folders() {
  const RuntimeQuestion now = question_of_process();
  const auto& [before, folders] = last_found();
  const bool is_same = before.named == now.named && before.locks == now.locks;
  const bool is_known = is_same && !folders.main.empty() && is_private_folder(folders.main) &&
                        is_private_folder(folders.locks.back());
  return is_known ? folders : find_runtime_folders();
}

Result<RuntimeFolders> find_runtime_folders() {
  RuntimeQuestion question = question_of_process();
  ::mkdir(common_folder(question.user).c_str(), 0700);  // that it is there already is judged below
  last_found() = {};
  TRY(auto folders, choose_runtime_folders(question));
  last_found() = {std::move(question), folders};
  return folders;
}

bool is_private_folder(const fs::path& folder) {
  return !fault_of(folder, {.user = ::getuid(), .read = read_facts});
}

}  // namespace clawperator
