#include "skills/repo/index_files.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/files.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/blocking_lock.hpp"
#include "skills/registry/indexes.hpp"
#include "skills/registry/schema.hpp"
#include "skills/repo/validate.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxIndex = std::size_t{64} << 20;

// Where an index may be; a folder that is a link is none of ours.
bool may_be_index(const std::string& path) {
  const fs::path name = fs::path(path).lexically_relative(kIndexFolder);
  const std::string folder = name.parent_path().string();
  if (folder == "by-app" || folder == "by-prefix") return path.ends_with(".json");
  return name == "manifest.json" || name == "skills-index.min.json" || name == "skills-index.jsonl";
}

Result<void> check_folders(const Repo& repo) {
  for (const char* below : {"", "by-app", "by-prefix"}) {
    std::error_code ignored;
    fs::path folder = repo.root / kIndexFolder;
    if (*below != '\0') folder /= below;
    const auto type = fs::symlink_status(folder, ignored).type();
    if (type != fs::file_type::not_found && type != fs::file_type::directory) {
      return fail(errc::skills_index_stale,
                  folder.string() + " is no folder of the repository's own; nothing was written");
    }
  }
  return ok();
}

// Relative to the repository, sorted; links are not followed.
std::set<std::string> files_below(const Repo& repo, std::string_view folder) {
  std::set<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entries(repo.root / folder, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    std::error_code ignored;
    const std::string path = entries->path().lexically_relative(repo.root).string();
    if (!entries->is_directory(ignored) && may_be_index(path)) files.insert(path);
  }
  return files;
}

bool is_skill_folder(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "skill.json", ignored) || fs::exists(folder / "SKILL.md", ignored);
}

std::vector<std::string> unregistered_folders(const Repo& repo) {
  std::set<std::string> registered;
  for (const Skill& skill : repo.registry.skills) registered.insert(skill.path);
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(repo.root / "skills", error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string path = "skills/" + entries->path().filename().string();
    const bool is_hidden = path.starts_with("skills/.");
    if (!is_hidden && is_skill_folder(entries->path()) && !registered.contains(path)) {
      names.push_back(path);
    }
  }
  std::ranges::sort(names);
  return names;
}

bool is_current(const Repo& repo, const std::string& path, const std::string& text) {
  const auto found = read_text(repo.root / path, kMaxIndex);
  return found && *found == text;
}

}  // namespace

std::vector<std::string> repository_problems(const Repo& repo) {
  std::vector<std::string> problems = schema_problems(repo.registry);
  for (const Skill& skill : repo.registry.skills) {
    const auto checks = validate_skill(repo, skill, DryRun::no);
    if (checks) continue;
    problems.push_back(skill.id + ": " + checks.error().message() +
                       (checks.error().members().empty() ? "" : " " + checks.error().members()));
  }
  for (const std::string& path : unregistered_folders(repo)) {
    problems.push_back(path + ": the folder of a skill that is not registered");
  }
  return problems;
}

std::vector<std::string> stale_indexes(const Repo& repo, const IndexFiles& wanted) {
  std::vector<std::string> stale;
  for (const auto& [path, text] : wanted) {
    if (!is_current(repo, path, text)) stale.push_back(path + ": is not that of the registry");
  }
  for (const std::string& path : files_below(repo, kIndexFolder)) {
    if (!wanted.contains(path)) stale.push_back(path + ": belongs to nothing in the registry");
  }
  return stale;
}

Result<void> write_indexes(const Repo& repo, const IndexFiles& wanted) {
  // Names of files are made of the entries.
  if (!schema_problems(repo.registry).empty()) {
    return fail(errc::skills_index_stale, "the registry breaks its schema");
  }
  TRY(const auto lock, lock_folder_blocking(repo.registry_path.parent_path()));
  TRY_VOID(check_folders(repo));
  for (const auto& [path, text] : wanted) {
    if (is_current(repo, path, text)) continue;
    const auto done = write_file_atomically(repo.root / path, text);
    if (!done) return fail(errc::file_write_failed, done.error().message());
  }
  for (const std::string& path : files_below(repo, kIndexFolder)) {
    std::error_code ignored;
    if (!wanted.contains(path)) fs::remove(repo.root / path, ignored);
  }
  return ok();
}

}  // namespace clawperator::skills
