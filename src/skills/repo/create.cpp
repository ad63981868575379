#include "skills/repo/create.hpp"

#include <unistd.h>

#include "base/files.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/blocking_lock.hpp"
#include "skills/registry/scaffold.hpp"
#include "skills/repo/repo.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxRecordingContext = std::size_t{16} << 20;
constexpr std::string_view kRecordingContext = "recording-context.json";

std::unexpected<Error> not_written(const std::string& why) {
  return fail(errc::skills_scaffold_failed, "The skill could not be written: " + why);
}

// A folder that goes away again unless it is kept.
class Draft {
 public:
  explicit Draft(fs::path folder) : folder_(std::move(folder)) {}
  ~Draft() {
    std::error_code ignored;
    if (!kept_) fs::remove_all(folder_, ignored);
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  [[nodiscard]] const fs::path& folder() const { return folder_; }
  Result<void> move_to(const fs::path& target) {
    if (::rename(folder_.c_str(), target.c_str()) != 0) {
      return not_written("cannot create " + target.string());
    }
    folder_ = target;
    return ok();
  }
  void keep() { kept_ = true; }

 private:
  fs::path folder_;
  bool kept_ = false;
};

Result<void> write_files(const fs::path& folder, const std::vector<ScaffoldFile>& files) {
  for (const ScaffoldFile& file : files) {
    const fs::path path = folder / file.name;
    if (const auto done = write_file_atomically(path, file.text); !done) {
      return not_written(done.error().message());
    }
    using fs::perms;
    const auto readable =
        perms::owner_read | perms::owner_write | perms::group_read | perms::others_read;
    const auto executable = perms::owner_exec | perms::group_exec | perms::others_exec;
    std::error_code ignored;
    fs::permissions(path, file.is_program ? readable | executable : readable, ignored);
  }
  return ok();
}

Result<void> check_absent(const Repo& repo, const std::string& id, const fs::path& folder) {
  if (find_skill(repo.registry, id) != nullptr) {
    return fail(errc::skill_already_exists, "Skill already exists: " + id);
  }
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder, ignored))) {
    return fail(errc::skill_already_exists, "Skill directory already exists: " + folder.string());
  }
  return ok();
}

Result<void> add_recording(const fs::path& file, Scaffold* scaffold) {
  if (file.empty()) return ok();
  auto text = read_text(file, kMaxRecordingContext);
  if (!text) return not_written("--recording-context: " + text.error().message());
  scaffold->files.push_back({std::string(kRecordingContext), *std::move(text)});
  return ok();
}

Result<CreatedSkill> write_skill(Repo repo, Scaffold scaffold) {
  CreatedSkill created{.id = scaffold.entry.id, .registry_path = repo.registry_path};
  created.folder = repo.root / scaffold.entry.path;
  for (const ScaffoldFile& file : scaffold.files) created.files.push_back(file.name);
  if (const auto inside = check_inside(repo, created.folder); !inside) {
    return not_written(inside.error().message());
  }
  // Of a registry that is a link it is the file that is replaced.
  std::error_code ignored;
  const fs::path registry = fs::weakly_canonical(repo.registry_path, ignored);
  Draft draft(repo.root / "skills" / ("." + created.id + "." + std::to_string(::getpid())));
  TRY_VOID(write_files(draft.folder(), scaffold.files));
  TRY_VOID(draft.move_to(created.folder));
  add_sorted(&repo.registry, std::move(scaffold.entry));
  const auto registered = write_file_atomically(registry, write_registry(repo.registry),
                                                ParentFolder::required, Durable::yes);
  if (!registered) return not_written(registered.error().message());
  draft.keep();
  return created;
}

}  // namespace

Result<CreatedSkill> create_skill(const NewSkill& skill) {
  TRY(Scaffold scaffold, make_scaffold(skill.id, skill.summary));
  TRY(const fs::path registry_path, find_registry());
  auto lock = lock_folder_blocking(registry_path.parent_path());
  if (!lock) return not_written(lock.error().message());
  TRY(Repo repo, load_repo());
  TRY_VOID(check_absent(repo, scaffold.entry.id, repo.root / scaffold.entry.path));
  TRY_VOID(add_recording(skill.recording_context, &scaffold));
  return write_skill(std::move(repo), std::move(scaffold));
}

}  // namespace clawperator::skills
