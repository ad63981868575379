#include "skills/phone/repo.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "base/system/file_lock.hpp"
#include "base/system/staged_folder.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/scaffold.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

fs::path current_folder() {
  std::error_code ignored;
  return fs::current_path(ignored);
}

std::vector<fs::path> default_places() {
  const fs::path here = current_folder();
  std::vector<fs::path> places{here / kRegistryName, here / "../.." / kRegistryName};
  if (const fs::path repo = installed_repo(); !repo.empty()) {
    places.push_back(repo / kRegistryName);
  }
  return places;
}

// PREFIX/share/clawperator/skills-repo of PREFIX/bin/clawperator; empty where that is unknown.
fs::path examples() {
  const fs::path folder = own_folder("share/clawperator/skills-repo");
  return folder.empty() ? folder : folder / kRegistryName;
}

std::unexpected<Error> not_found(std::string_view which, const fs::path& path,
                                 std::string_view advice) {
  return fail(errc::registry_read_failed, "Registry not found at " + std::string(which) +
                                              " path: " + path.string() + ". " +
                                              std::string(advice) +
                                              " CLAWPERATOR_SKILLS_REGISTRY or run clawperator "
                                              "skills install.");
}

Result<fs::path> configured(const std::string& given) {
  if (is_blank(given)) {
    return fail(errc::registry_read_failed,
                "CLAWPERATOR_SKILLS_REGISTRY is set but blank: name a registry, or unset it.");
  }
  fs::path path = (current_folder() / given).lexically_normal();
  if (is_there(path)) return path;
  return not_found("configured", path, "Update");
}

std::unexpected<Error> leads_out(const Skill& skill, const std::string& path) {
  return fail_with(
      errc::skill_validation_failed,
      "Skill " + skill.id + " names a file outside the skills repository",
      ErrorMembers().text("path", path).text("reason", "the path leads out of the repository"));
}

// Also through links.
bool is_within(const fs::path& path, const Repo& repo) {
  std::error_code error;
  const fs::path root = fs::weakly_canonical(repo.root, error);
  const fs::path target = fs::weakly_canonical(path, error);
  return !error && std::ranges::mismatch(root, target).in1 == root.end();
}

// A text in memory that goes into a repository; a longer file is a mistake.
constexpr std::size_t kMaxRecordingContext = std::size_t{16} << 20;
constexpr std::string_view kRecordingContext = "recording-context.json";

std::unexpected<Error> not_written(const std::string& why) {
  return fail(errc::skills_scaffold_failed, "The skill could not be written: " + why);
}

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
  // Where the registry is a link, its target is replaced.
  const auto registry = file_behind(repo.registry_path);
  if (!registry) return not_written(registry.error().message());
  std::error_code ignored;
  fs::create_directories(created.folder.parent_path(), ignored);  // a new repository has no skills/
  StagedFolder::remove_left(created.folder);
  const auto staged = StagedFolder::begin(created.folder);
  if (!staged) return not_written(staged.error().message());
  TRY_VOID(write_files(staged->fresh(), scaffold.files));
  if (staged->take_free_place() != 0)
    return not_written("cannot create " + created.folder.string());
  add_sorted(&repo.registry, std::move(scaffold.entry));
  const auto registered = write_file_atomically(*registry, write_registry(repo.registry),
                                                ParentFolder::required, Durable::yes);
  if (registered) return created;
  std::ignore = staged->take_back();
  return not_written(registered.error().message());
}

}  // namespace

fs::path installed_repo() {
  const fs::path state = state_folder();
  return state.empty() ? state : state / "skills";
}

Result<fs::path> find_registry(RegistryUse use) {
  if (const char* given = std::getenv("CLAWPERATOR_SKILLS_REGISTRY")) return configured(given);
  const auto places = default_places();
  const auto found = std::ranges::find_if(places, base::is_there);
  if (found != places.end()) return found->lexically_normal();
  if (fs::path path = examples(); use == RegistryUse::read && is_there(path)) return path;
  return not_found("default", places.back().lexically_normal(), "Set");
}

Result<Repo> load_repo(EntryReading reading, RegistryUse use) {
  Repo repo;
  TRY(repo.registry_path, find_registry(use));
  repo.root = repo.registry_path.parent_path().parent_path();
  TRY(const std::string text, read_text(repo.registry_path, kMaxRegistryBytes));
  TRY(repo.registry, parse_registry(text, reading));
  return repo;
}

Result<const Skill*> skill_of(const Repo& repo, const std::string& id) {
  if (const Skill* skill = find_skill(repo.registry, id)) return skill;
  return no_such_skill(id);
}

Result<fs::path> file_of(const Repo& repo, const Skill& skill, const std::string& path) {
  fs::path file = repo.root / path;
  if (!is_inner_path(path) || !is_within(file, repo)) return leads_out(skill, path);
  return file;
}

Result<void> check_inside(const Repo& repo, const fs::path& path) {
  if (is_within(path, repo)) return ok();
  return fail(errc::io, path.string() + " leads out of the skills repository");
}

Result<std::string> read_text(const fs::path& path, std::size_t limit) {
  if (is_there(path) && !is_plain_file(path)) {
    return fail(errc::registry_read_failed, "cannot read " + path.string() + ": no plain file");
  }
  return with_code(errc::registry_read_failed, read_file(path, limit));
}

Result<CreatedSkill> create_skill(const NewSkill& skill) {
  TRY(Scaffold scaffold, make_scaffold(skill.id, skill.summary));
  TRY(const fs::path registry_path, find_registry(RegistryUse::write));
  auto lock = lock_folder_blocking(registry_path.parent_path());
  if (!lock) return not_written(lock.error().message());
  TRY(Repo repo, load_repo());
  TRY_VOID(check_absent(repo, scaffold.entry.id, repo.root / scaffold.entry.path));
  TRY_VOID(add_recording(skill.recording_context, &scaffold));
  return write_skill(std::move(repo), std::move(scaffold));
}

}  // namespace clawperator::phone_skills
