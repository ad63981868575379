#include "skills/phone/commit_hook.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/files.hpp"
#include "base/system/environment.hpp"
#include "base/text.hpp"
#include "skills/phone/repository_files.hpp"
#include "skills/phone/repository_scan.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScan = "clawperator skills scan --staged";

// A commit that was not scanned cannot be taken back, a refused one can be repeated: so a missing
// program refuses it.
constexpr std::string_view kHook = R"(#!/bin/sh
# Keeps personal texts out of commits; written by `clawperator skills scan --install-hook`.
own="$HOME/.clawperator/pre-commit-blocked-terms.sh"
if [ -f "$own" ] && [ -x "$own" ]; then
  "$own" "$@" || exit 1
fi
if ! command -v clawperator >/dev/null; then
  echo 'clawperator is not on PATH: nothing was scanned. Add it, or commit with --no-verify.' >&2
  exit 1
fi
if ! clawperator skills scan --staged --output pretty; then
  echo 'The commit is refused. Correct that, stage the files again, or commit with --no-verify.' >&2
  exit 1
fi
)";

constexpr std::size_t kLargestHook = 1U << 20;  // a longer one is no script of a person

std::unexpected<Error> refused(const fs::path& hook, std::string_view why) {
  return fail(errc::privacy_hook_refused, hook.string() + " " + std::string(why) +
                                              "; it is unchanged. Add this line to your hook: " +
                                              std::string(kScan) + " --output pretty || exit 1");
}

std::optional<std::string> hooks_path_of(git_config* config) {
  git_buf value{};
  std::optional<std::string> path;
  if (git_config_get_string_buf(&value, config, "core.hooksPath") == 0) path = value.ptr;
  git_buf_dispose(&value);
  return path;
}

// What the user's and the system's configuration say: libgit2 itself does not read them here.
Result<std::optional<std::string>> users_hooks_path() {
  TRY(const auto config,
      made_by_git<git_config>([](git_config** out) { return git_config_new(out); }));
  const std::pair<git_config_level_t, fs::path> files[] = {
      {GIT_CONFIG_LEVEL_SYSTEM, "/etc/gitconfig"},
      {GIT_CONFIG_LEVEL_XDG, config_home() / "git/config"},
      {GIT_CONFIG_LEVEL_GLOBAL, home_folder() / ".gitconfig"}};
  for (const auto& [level, file] : files) {
    if (!is_plain_file(file)) continue;
    TRY_VOID(git_did(git_config_add_file_ondisk(config.get(), file.c_str(), level, nullptr, 0)));
  }
  return hooks_path_of(config.get());
}

// The folder where git looks for hooks of this repository.
Result<fs::path> hooks_folder(git_repository* repository) {
  if (git_repository_is_bare(repository) != 0) {
    return fail(errc::privacy_hook_refused, std::string(git_repository_path(repository)) +
                                                " is a bare repository: install the hook where "
                                                "commits are made");
  }
  TRY(const auto config, made_by_git<git_config>([&](git_config** out) {
        return git_repository_config(out, repository);
      }));
  const fs::path top = git_repository_workdir(repository);
  if (const auto own = hooks_path_of(config.get())) {
    const bool is_in_home = *own == "~" || own->starts_with("~/");
    return is_in_home ? home_folder() / own->substr(std::min<std::size_t>(2, own->size()))
                      : top / *own;
  }
  TRY(const auto elsewhere, with_code(errc::privacy_scan_failed, users_hooks_path()));
  if (elsewhere) {
    return refused(
        fs::path(*elsewhere) / "pre-commit",
        "is the hook of all your repositories: your git configuration has core.hooksPath");
  }
  return fs::path(git_repository_commondir(repository)) / "hooks";
}

bool scans(std::string_view hook) {
  return std::ranges::any_of(split(hook, '\n'), [](std::string_view line) {
    return !trimmed(line).starts_with('#') && line.contains(kScan);
  });
}

// What stands in the hook's place. No link is followed, no pipe waited for.
Result<CommitHook> present_hook(const FileHandle& folder, const fs::path& hook) {
  const FileHandle file(::openat(folder.get(), "pre-commit",
                                 O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) {
    return refused(hook, "is there, and no plain file");
  }
  const auto text = read_file(file, hook, kLargestHook);
  if (!text || !scans(*text)) return refused(hook, "is another hook");
  if ((found.st_mode & S_IXUSR) == 0) {
    return fail(errc::privacy_hook_refused,
                hook.string() + " is there, but git does not run it: make it executable, chmod +x");
  }
  return CommitHook{hook, false};
}

}  // namespace

Result<CommitHook> install_commit_hook(const fs::path& folder) {
  TRY(const auto repository, open_repository_around(folder));
  TRY(const fs::path place, hooks_folder(repository.get()));
  TRY_VOID(make_folders(place));
  const fs::path hook = place / "pre-commit";
  const FileHandle in(::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!in.is_open()) return refused(hook, "is in a folder that is a link, or cannot be opened");
  std::string draft;
  const FileHandle file = create_draft(in.get(), 0755, &draft);
  int reason = file.is_open() ? write_bytes(file.get(), kHook) : errno;
  if (reason == 0) reason = rename_to_free(in.get(), draft, in.get(), "pre-commit");
  if (reason == 0) return CommitHook{hook, true};
  if (file.is_open()) ::unlinkat(in.get(), draft.c_str(), 0);
  return reason == EEXIST ? present_hook(in, hook) : cannot_write(hook, reason);
}

}  // namespace clawperator::phone_skills
