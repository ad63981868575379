#include "skills/repo/repo.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/files.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/device/environment.hpp"
#include "skills/registry/paths.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

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
  const fs::path path = (current_folder() / given).lexically_normal();
  if (is_there(path)) return path;
  return not_found("configured", path, "Update");
}

std::unexpected<Error> leads_out(const Skill& skill, const std::string& path) {
  const auto details =
      ErrorMembers().text("path", path).text("reason", "the path leads out of the repository");
  return fail(errc::skill_validation_failed,
              "Skill " + skill.id + " names a file outside the skills repository",
              ErrorMembers().object("details", details).str());
}

bool is_within(const fs::path& path, const fs::path& root) {
  const auto [end, ignored] = std::ranges::mismatch(root, path);
  return end == root.end();
}

}  // namespace

fs::path installed_repo() {
  const fs::path state = state_folder();
  return state.empty() ? state : state / "skills";
}

Result<fs::path> find_registry() {
  if (const char* given = std::getenv("CLAWPERATOR_SKILLS_REGISTRY")) return configured(given);
  const auto places = default_places();
  const auto found = std::ranges::find_if(places, is_there);
  if (found == places.end()) return not_found("default", places.back().lexically_normal(), "Set");
  return found->lexically_normal();
}

Result<Repo> load_repo(EntryReading reading) {
  Repo repo;
  TRY(repo.registry_path, find_registry());
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
  if (!is_inner_path(path)) return leads_out(skill, path);
  std::error_code error;
  const fs::path root = fs::weakly_canonical(repo.root, error);
  const fs::path target = fs::weakly_canonical(repo.root / path, error);
  if (error || !is_within(target, root)) return leads_out(skill, path);
  return repo.root / path;
}

Result<void> check_inside(const Repo& repo, const fs::path& path) {
  std::error_code error;
  const fs::path root = fs::weakly_canonical(repo.root, error);
  const fs::path target = fs::weakly_canonical(path, error);
  if (!error && is_within(target, root)) return ok();
  return fail(errc::io, path.string() + " leads out of the skills repository");
}

Result<std::string> read_text(const fs::path& path, std::size_t limit) {
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    return fail(errc::registry_read_failed, "cannot read " + path.string() + ": no plain file");
  }
  auto text = read_file(path, limit);
  if (text) return text;
  return fail(errc::registry_read_failed, text.error().message());
}

}  // namespace clawperator::skills
