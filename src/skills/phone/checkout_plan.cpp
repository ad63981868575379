#include "skills/phone/checkout_plan.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "base/files.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/merge.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

// The file at a path of a checkout. No symbolic link is followed.
struct LocalFile {
  // folder: `obstacles` are the files in it. other: a link, a device. behind: a parent of it is no
  // folder; `obstacles` has that parent.
  enum class Kind { absent, file, folder, other, behind };
  Kind kind = Kind::absent;
  TreeFile file{};
  std::vector<std::string> obstacles{};  // paths within the checkout
};

enum class Entry { absent, file, folder, other };

Result<Entry> entry_at(const fs::path& path, struct stat* found) {
  if (::lstat(path.c_str(), found) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Entry::absent;
    return cannot("read", path, errc::io, errno);
  }
  if (S_ISDIR(found->st_mode)) return Entry::folder;
  return S_ISREG(found->st_mode) ? Entry::file : Entry::other;
}

Result<LocalFile> hashed(const fs::path& path, const struct stat& found) {
  LocalFile local{LocalFile::Kind::file, {}, {}};
  TRY_VOID(git_did(git_odb_hashfile(&local.file.id, path.c_str(), GIT_OBJECT_BLOB)));
  local.file.executable = (found.st_mode & S_IXUSR) != 0;
  return local;
}

Result<LocalFile> look_at(const fs::path& folder, const std::string& path) {
  struct stat found{};
  for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string parent = path.substr(0, slash);
    TRY(const Entry entry, entry_at(folder / parent, &found));
    if (entry == Entry::absent) return LocalFile{};
    if (entry != Entry::folder) return LocalFile{LocalFile::Kind::behind, {}, {parent}};
  }
  TRY(const Entry entry, entry_at(folder / path, &found));
  if (entry == Entry::absent) return LocalFile{};
  if (entry == Entry::file) return hashed(folder / path, found);
  if (entry == Entry::other) return LocalFile{LocalFile::Kind::other, {}, {path}};
  LocalFile local{LocalFile::Kind::folder, {}, {}};
  TRY(const auto below, entries_below(folder / path));
  for (const EntryBelow& each : below) {
    if (!each.is_folder) local.obstacles.push_back(path + "/" + each.path);
  }
  return local;
}

const TreeFile* file_at(const TreeFiles& files, const std::string& path) {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : &found->second;
}

bool same_file(const TreeFile* one, const TreeFile* other) {
  return one == nullptr || other == nullptr ? one == other : *one == *other;
}

std::unexpected<Error> bad_registry(const std::string& whose, const std::string& why) {
  return fail(errc::protocol, whose + std::string(kRegistryName) + " " + why);
}

// The error that `skills list` would report for it.
Result<void> check_readable(const std::string& whose, std::string_view text) {
  const auto registry = parse_registry(text);
  return registry ? ok() : bad_registry(whose, "cannot be read: " + registry.error().message());
}

class Planner {
 public:
  explicit Planner(const PlanRequest& request) : request_(request) {}

  Result<CheckoutPlan> run() {
    for (const std::string& path : changed_paths()) TRY_VOID(plan_file(path));
    TRY_VOID(plan_registry());
    std::ranges::partition(plan_.changes, [](const FileChange& it) { return !it.content; });
    return std::move(plan_);
  }

 private:
  // Upstream's changed paths, except for the registry.
  [[nodiscard]] std::set<std::string> changed_paths() const {
    std::set<std::string> paths;
    for (const TreeFiles* side : {request_.base, request_.incoming}) {
      for (const auto& [path, file] : *side) {
        if (!same_file(file_at(*request_.base, path), file_at(*request_.incoming, path))) {
          paths.insert(path);
        }
      }
    }
    paths.erase(std::string(kRegistryName));
    return paths;
  }

  Result<void> plan_file(const std::string& path) {
    const TreeFile* base = file_at(*request_.base, path);
    const TreeFile* incoming = file_at(*request_.incoming, path);
    TRY(const LocalFile local, look_at(request_.folder, path));
    if (is_staged_otherwise(path, base, incoming)) return conflict(path);
    const TreeFile* here = local.kind == LocalFile::Kind::file ? &local.file : nullptr;
    if (local.kind != LocalFile::Kind::file && local.kind != LocalFile::Kind::absent) {
      if (incoming == nullptr) return ok();  // a removed file does not exist
      note_obstacles(local);
    } else if (same_file(here, incoming)) {
      return ok();
    } else if (here != nullptr && !same_file(here, base)) {
      return conflict(path);
    }
    add(path, incoming);
    return ok();
  }

  // Files that upstream itself removes are no obstacles: removals come first.
  void note_obstacles(const LocalFile& local) {
    for (const std::string& path : local.obstacles) {
      const TreeFile* base = file_at(*request_.base, path);
      const bool goes = base != nullptr && file_at(*request_.incoming, path) == nullptr;
      if (!goes || !is_plain_file(path)) std::ignore = conflict(path);
    }
  }

  // A link in its place would be followed out of the folder.
  [[nodiscard]] bool is_plain_file(const std::string& path) const {
    std::error_code ignored;
    const auto found = std::filesystem::symlink_status(request_.folder / path, ignored);
    return found.type() == std::filesystem::file_type::regular;
  }

  [[nodiscard]] bool is_staged_otherwise(const std::string& path, const TreeFile* base,
                                         const TreeFile* incoming) const {
    const git_index_entry* staged = git_index_get_bypath(request_.index, path.c_str(), 0);
    if (staged == nullptr) return false;
    const auto is_of = [&](const TreeFile* it) {
      return it != nullptr && same_id(it->id, staged->id);
    };
    return !is_of(base) && !is_of(incoming);
  }

  Result<void> conflict(const std::string& path) {
    auto& all = plan_.conflicts;
    if (std::ranges::find(all, path) == all.end()) all.push_back(path);
    return ok();
  }

  void add(const std::string& path, const TreeFile* incoming) {
    FileChange change{path, std::nullopt};
    if (incoming) change.content.emplace(incoming->id, std::nullopt, incoming->executable);
    plan_.changes.push_back(std::move(change));
  }

  Result<std::string> registry_of(const TreeFiles& files) {
    const TreeFile* file = file_at(files, std::string(kRegistryName));
    if (file == nullptr) return std::string();
    return content_of(request_.repository, file->id);
  }

  Result<void> plan_registry() {
    const std::string path(kRegistryName);
    const std::string upstream = "the repository's ";
    const TreeFile* file = file_at(*request_.incoming, path);
    if (file == nullptr) return bad_registry(upstream, "does not exist");
    TRY(const std::string incoming, content_of(request_.repository, file->id));
    TRY_VOID(check_readable(upstream, incoming));
    TRY(const LocalFile local, look_at(request_.folder, path));
    if (local.kind == LocalFile::Kind::absent) {
      add(path, file);
      return ok();
    }
    if (local.kind != LocalFile::Kind::file) return conflict(path);
    return merge_local(path, incoming);
  }

  Result<void> merge_local(const std::string& path, const std::string& incoming) {
    TRY(const std::string base, registry_of(*request_.base));
    TRY(const std::string local, read_file(request_.folder / path, kMaxRegistryBytes));
    const auto merged = merge_registry(base, local, incoming);
    if (!merged) return conflict(path);
    for (const std::string& id : merged->conflicts) std::ignore = conflict(path + "#" + id);
    if (!merged->conflicts.empty() || merged->text == local) return check_if_kept(*merged);
    FileChange change{path, std::nullopt};
    change.content.emplace(git_oid{}, merged->text, false);
    plan_.changes.push_back(std::move(change));
    return check_readable("", merged->text);
  }

  static Result<void> check_if_kept(const RegistryMerge& merged) {
    return merged.conflicts.empty() ? check_readable("", merged.text) : ok();
  }

  const PlanRequest& request_;
  CheckoutPlan plan_;
};

}  // namespace

Result<CheckoutPlan> plan_checkout(const PlanRequest& request) { return Planner(request).run(); }

}  // namespace clawperator::phone_skills
