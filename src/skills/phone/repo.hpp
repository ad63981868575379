#pragma once
// A skills repository on disk: the place of its registry, and the files that entries name.
//
//   <root>/skills/skills-registry.json
//   <root>/skills/<id>/skill.json, SKILL.md, scripts/*, artifacts/*

#include <filesystem>

#include "base/error.hpp"
#include "skills/phone/rules/registry.hpp"

namespace clawperator::phone_skills {

// ~/.clawperator/skills; empty when HOME is unset.
std::filesystem::path installed_repo();
inline constexpr std::string_view kRegistryName = "skills/skills-registry.json";

// CLAWPERATOR_SKILLS_REGISTRY, whether or not it exists; else the first existing one of ./skills/,
// ../../skills/, ~/.clawperator/skills/skills/ and, for reading, the examples that are installed
// with this program. An absolute path. registry_read_failed: the variable is blank, or there is
// none.
enum class RegistryUse { read, write };
Result<std::filesystem::path> find_registry(RegistryUse use = RegistryUse::read);

struct Repo {
  std::filesystem::path registry_path{};
  std::filesystem::path root{};
  Registry registry{};
};
// registry_read_failed
Result<Repo> load_repo(EntryReading reading = EntryReading::fields,
                       RegistryUse use = RegistryUse::read);

// skill_not_found
Result<const Skill*> skill_of(const Repo& repo, const std::string& id);

// The absolute path of a file that an entry names. skill_validation_failed: it leads out of the
// repository, also by a link.
Result<std::filesystem::path> file_of(const Repo& repo, const Skill& skill,
                                      const std::string& path);

// For a path to write to: io where a link leads out of the repository.
Result<void> check_inside(const Repo& repo, const std::filesystem::path& path);

// Reads a plain file; a pipe would block. registry_read_failed
Result<std::string> read_text(const std::filesystem::path& path, std::size_t limit);

// A new skill: its folder and its entry in the registry, both or neither.
struct NewSkill {
  std::string id{};
  std::optional<std::string> summary{};
  std::filesystem::path recording_context{};  // copied as recording-context.json; empty: none
};

struct CreatedSkill {
  std::string id{};
  std::filesystem::path registry_path{};
  std::filesystem::path folder{};
  std::vector<std::string> files{};  // within the folder
};

// skill_id_invalid, registry_read_failed, skill_already_exists, skills_scaffold_failed.
Result<CreatedSkill> create_skill(const NewSkill& skill);

}  // namespace clawperator::phone_skills
