#include "skills/repo/validate.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/contract/parse.hpp"
#include "skills/registry/compile.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

std::unexpected<Error> invalid(const Skill& skill, std::string_view what,
                               const ErrorMembers& details) {
  return fail(errc::skill_validation_failed, "Skill " + skill.id + " " + std::string(what),
              ErrorMembers().object("details", details).str());
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

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

Result<void> check_files(const Skill& skill, const Checks& checks) {
  std::vector<std::string> all{checks.skill_json.string(), checks.skill_file.string()};
  all.insert(all.end(), checks.scripts.begin(), checks.scripts.end());
  all.insert(all.end(), checks.artifacts.begin(), checks.artifacts.end());
  std::erase_if(all, is_file);
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
  failure.text("code", error_row(error.code()).published).text("message", error.message());
  const Json* details = members ? find_member(*members, "details") : nullptr;
  if (details) failure.json("details", write_json(*details));
  return failure.str();
}

}  // namespace

Result<Checks> validate_skill(const Repo& repo, const Skill& skill, DryRun dry_run) {
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
  std::string valid;
  std::string failures;
  std::int64_t failed = 0;
  for (const Skill& skill : skills) {
    if (const auto checks = validate_skill(repo, skill, dry_run)) {
      valid += (valid.empty() ? "" : ",") +
               JsonObject().json("skill", skill.json).object("checks", checks_json(*checks)).str();
    } else {
      failures += (failures.empty() ? "" : ",") + failure_json(skill, checks.error());
      ++failed;
    }
  }
  const auto total = static_cast<std::int64_t>(skills.size());
  const std::string path = repo.registry_path.string();
  if (failed == 0) {
    JsonObject answer;
    answer.boolean("valid", true).number("totalSkills", total).text("registryPath", path);
    return answer.json("validSkills", "[" + valid + "]").str();
  }
  JsonObject details;
  details.number("totalSkills", total).number("validCount", total - failed);
  details.number("invalidCount", failed).json("failures", "[" + failures + "]");
  return fail(errc::skill_validation_failed,
              std::to_string(failed) + " of " + std::to_string(total) +
                  " registered skills failed validation",
              ErrorMembers().text("registryPath", path).object("details", details).str());
}

}  // namespace clawperator::skills
