#include "base/own_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace base {

namespace fs = std::filesystem;

namespace {

// The group may write there: on Debian /usr/local belongs to the group staff, ~/.local to the
// user's own group.
bool is_safe(const fs::path& folder, uid_t owner) {
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) return false;
  const bool is_known = found.st_uid == 0 || found.st_uid == owner || found.st_uid == ::geteuid();
  return is_known && (found.st_mode & S_IWOTH) == 0;
}

}  // namespace

fs::path folder_beside(const fs::path& program, std::string_view below) {
  struct stat found{};
  if (program.empty() || ::stat(program.c_str(), &found) != 0) return {};
  fs::path folder = program.parent_path().parent_path();
  if (!is_safe(folder, found.st_uid)) return {};
  for (const fs::path& name : fs::path(below)) {
    folder /= name;
    if (!is_safe(folder, found.st_uid)) return {};
  }
  return folder;
}

fs::path own_program() {
  constexpr std::string_view kReplaced = " (deleted)";
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  std::string name = program.string();
  if (name.ends_with(kReplaced) && !fs::exists(program, unknown)) {
    name.resize(name.size() - kReplaced.size());
  }
  return name;
}

fs::path own_folder(std::string_view below) { return folder_beside(own_program(), below); }

}  // namespace base
