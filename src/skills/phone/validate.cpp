#include "skills/phone/validate.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/json_document.hpp"
#include "base/system/file_lock.hpp"
#include "runtime/contract/parse.hpp"
#include "skills/phone/rules/compile.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/schema_rules.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> invalid(const Skill& skill, std::string_view what,
                               const ErrorMembers& details) {
  return fail_with(errc::skill_validation_failed, "Skill " + skill.id + " " + std::string(what),
                   details);
}

fs::path skill_json_of(const Repo& repo, const Skill& skill) {
  return repo.root / skill.path / "skill.json";
}

Result<void> check_entry(const Skill& skill, const fs::path& skill_json) {
  ErrorMembers details;
  details.text("skillJsonPath", skill_json.string());
  if (!skill.lists_scripts) {
    details.strings("missingFields", std::vector<std::string>{"scripts"});
    return invalid(skill, "registry entry is missing required scripts",
                   details.text("reason", "scripts must be an array"));
  }
  if (skill.artifacts_usable) return ok();
  return invalid(skill, "registry entry has an invalid artifacts value",
                 details.text("reason", "artifacts must be an array"));
}

Result<std::vector<std::string>> files_of(const Repo& repo, const Skill& skill,
                                          const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    TRY(const fs::path file, file_of(repo, skill, path));
    files.push_back(file.string());
  }
  return files;
}

Result<void> check_files(const Skill& skill, const Checks& checks) {
  std::vector<std::string> all{checks.skill_json.string(), checks.skill_file.string()};
  all.insert(all.end(), checks.scripts.begin(), checks.scripts.end());
  all.insert(all.end(), checks.artifacts.begin(), checks.artifacts.end());
  std::erase_if(all, base::is_plain_file);
  if (all.empty()) return ok();
  return invalid(skill, "is missing required files",
                 ErrorMembers()
                     .text("skillJsonPath", checks.skill_json.string())
                     .strings("missingFiles", all));
}

Result<Manifest> check_skill_json(const Skill& skill, const fs::path& path) {
  TRY(const std::string text, read_text(path, kMaxSkillJson));
  TRY(const Json json, read_skill_json(text));
  const auto mismatches = mismatches_of(json, skill);
  if (!mismatches.empty()) {
    return invalid(
        skill, "metadata does not match the registry entry",
        ErrorMembers().text("skillJsonPath", path.string()).strings("mismatchFields", mismatches));
  }
  return read_manifest(json, skill);
}

Result<void> check_payload(const Skill& skill, const fs::path& artifact) {
  TRY(const std::string text, read_text(artifact, kMaxArtifact));
  const auto execution = parse_execution(text);
  if (execution) return ok();
  const Error error(errc::skill_validation_failed,
                    "Skill " + skill.id + ": artifact payload schema violation",
                    execution.error().members());
  return std::unexpected(
      with_details(error, ErrorMembers().text("artifact", artifact.filename().string())));
}

JsonObject checks_json(const Checks& checks) {
  return JsonObject()
      .text("skillJsonPath", checks.skill_json.string())
      .text("skillFilePath", checks.skill_file.string())
      .strings("scriptPaths", checks.scripts)
      .strings("artifactPaths", checks.artifacts);
}

std::string dry_run_json(const Skill& skill) {
  if (!skill.artifacts.empty()) {
    return JsonObject().text("payloadValidation", "passed").str();
  }
  return JsonObject()
      .text("payloadValidation", "skipped")
      .text("reason",
            "skill has no pre-compiled artifacts; payload is generated at runtime by the skill "
            "script")
      .str();
}

std::string failure_json(const Skill& skill, const Error& error) {
  const auto members = read_json(error.members().empty() ? "{}" : error.members(), kMaxSkillJson);
  JsonObject failure;
  failure.text("skillId", skill.id);
  failure.text("code", error.code()->published).text("message", error.message());
  const Json* details = members ? find_member(*members, "details") : nullptr;
  if (details) failure.json("details", write_json(*details));
  return failure.str();
}

// Twice kMaxRegistryBytes, from which an index is made; a longer file counts as out of date.
constexpr std::size_t kMaxIndex = std::size_t{64} << 20;

// Where an index may be; a folder that is a link is left alone.
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

// Files with the name of an index that are not wanted: relative to the repository, sorted.
Result<std::set<std::string>> needless_indexes(const Repo& repo, const IndexFiles& wanted) {
  std::set<std::string> files;
  const fs::path folder = repo.root / kIndexFolder;
  if (!is_there(folder)) return files;
  TRY(const auto below, entries_below(folder));
  for (const EntryBelow& each : below) {
    const std::string path = std::string(kIndexFolder) + "/" + each.path;
    if (!each.is_folder && may_be_index(path) && !wanted.contains(path)) files.insert(path);
  }
  return files;
}

bool is_current(const Repo& repo, const std::string& path, const std::string& text) {
  const auto found = read_text(repo.root / path, kMaxIndex);
  return found && *found == text;
}

}  // namespace

Result<Checks> validate_skill(const Repo& repo, const Skill& skill, DryRun dry_run) {
  if (!skill.is_object) {
    return fail(errc::skill_validation_failed, "An entry of the registry is no object");
  }
  Checks checks{.skill_json = skill_json_of(repo, skill)};
  TRY_VOID(check_entry(skill, checks.skill_json));
  TRY_VOID(file_of(repo, skill, skill.path + "/skill.json"));
  TRY(checks.skill_file, file_of(repo, skill, skill.skill_file));
  TRY(checks.scripts, files_of(repo, skill, skill.scripts));
  TRY(checks.artifacts, files_of(repo, skill, skill.artifacts));
  TRY_VOID(check_files(skill, checks));
  TRY(checks.manifest, check_skill_json(skill, checks.skill_json));
  for (const std::string& artifact : checks.artifacts) {
    if (dry_run == DryRun::yes && artifact.ends_with(".json")) {
      TRY_VOID(check_payload(skill, artifact));
    }
  }
  return checks;
}

std::string validation_json(const Repo& repo, const Skill& skill, const Checks& checks,
                            DryRun dry_run) {
  JsonObject answer;
  answer.boolean("valid", true).json("skill", skill.json);
  answer.text("registryPath", repo.registry_path.string());
  if (dry_run == DryRun::yes) answer.json("dryRun", dry_run_json(skill));
  return answer.object("checks", checks_json(checks)).str();
}

Result<std::string> validate_all(const Repo& repo, DryRun dry_run) {
  const auto& skills = repo.registry.skills;
  std::vector<std::string> valid;
  std::vector<std::string> failures;
  for (const Skill& skill : skills) {
    if (const auto checks = validate_skill(repo, skill, dry_run)) {
      valid.push_back(
          JsonObject().json("skill", skill.json).object("checks", checks_json(*checks)).str());
    } else {
      failures.push_back(failure_json(skill, checks.error()));
    }
  }
  const auto failed = static_cast<std::int64_t>(failures.size());
  const auto total = static_cast<std::int64_t>(skills.size());
  const std::string path = repo.registry_path.string();
  if (failed == 0) {
    JsonObject answer;
    answer.boolean("valid", true).number("totalSkills", total).text("registryPath", path);
    return answer.json("validSkills", list_json(valid, std::identity{})).str();
  }
  JsonObject details;
  details.number("totalSkills", total).number("validCount", total - failed);
  details.number("invalidCount", failed).json("failures", list_json(failures, std::identity{}));
  return fail(errc::skill_validation_failed,
              std::to_string(failed) + " of " + std::to_string(total) +
                  " registered skills failed validation",
              ErrorMembers().text("registryPath", path).object("details", details).str());
}

std::vector<std::string> unregistered_folders(const Repo& repo) {
  std::set<std::string> registered;
  for (const Skill& skill : repo.registry.skills) registered.insert(skill.path);
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : entries_in(repo.root / "skills", ignored)) {
    const std::string path = "skills/" + entry.path().filename().string();
    const bool is_skill =
        is_there(entry.path() / "skill.json") || is_there(entry.path() / "SKILL.md");
    if (is_skill && !path.starts_with("skills/.") && !registered.contains(path)) {
      names.push_back(path);
    }
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> repository_problems(const Repo& repo) {
  std::vector<std::string> problems;
  for (SchemaProblem& each : schema_problems(repo.registry)) {
    problems.push_back(std::move(each.text));
  }
  for (const Skill& skill : repo.registry.skills) {
    const auto checks = validate_skill(repo, skill, DryRun::no);
    if (checks) continue;
    problems.push_back(skill.id + ": " + checks.error().message() +
                       (checks.error().members().empty() ? "" : " " + checks.error().members()));
  }
  for (const std::string& path : unregistered_folders(repo)) {
    problems.push_back(path + ": " + std::string(kUnregistered));
  }
  return problems;
}

std::vector<StaleIndex> stale_indexes(const Repo& repo, const IndexFiles& wanted) {
  std::vector<StaleIndex> stale;
  for (const auto& [path, text] : wanted) {
    if (!is_current(repo, path, text))
      stale.push_back({path, path + ": is not that of the registry"});
  }
  const auto needless = needless_indexes(repo, wanted);
  if (!needless) stale.push_back({std::string(kIndexFolder), needless.error().message()});
  for (const std::string& path : needless.value_or(std::set<std::string>())) {
    stale.push_back({path, path + ": belongs to nothing in the registry"});
  }
  return stale;
}

Result<void> write_indexes(const Repo& repo, const IndexFiles& wanted) {
  // The names of index files are made from the entries.
  if (!schema_problems(repo.registry).empty()) {
    return fail(errc::skills_index_stale, "the registry breaks its schema");
  }
  TRY(const auto lock, lock_folder_blocking(repo.registry_path.parent_path()));
  TRY_VOID(check_folders(repo));
  for (const auto& [path, text] : wanted) {
    if (is_current(repo, path, text)) continue;
    TRY_VOID(with_code(errc::file_write_failed, write_file_atomically(repo.root / path, text)));
  }
  TRY(const auto needless, with_code(errc::file_write_failed, needless_indexes(repo, wanted)));
  std::error_code ignored;
  for (const std::string& path : needless) {
    fs::remove(repo.root / path, ignored);
  }
  return ok();
}

}  // namespace clawperator::phone_skills
