// skills validate, compile-artifact, new, index: for authors of skills

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error_members.hpp"
#include "cli/commands/commands.hpp"
#include "cli/settings.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/compile.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/indexes.hpp"
#include "skills/phone/validate.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kValidateOptions{
    Option{"--all", "", Arity::none, "", "check every skill of the registry"},
    Option{"--dry-run", "", Arity::none, "", "check that compiled artifacts are executions, too"},
};
constexpr std::array kCompileOptions{
    Option{"--skill-id", "--skill", Arity::one, "<id>", "the skill, instead of the positional"},
    Option{"--artifact", "", Arity::one, "<name>",
           "the artifact's name, with or without .recipe.json"},
    Option{"--vars", "", Arity::any, "<json>", "an object with the values of the placeholders"},
};
constexpr std::array kNewOptions{
    Option{"--summary", "", Arity::one, "<text>", "one line about the skill"},
    Option{"--recording-context", "", Arity::one, "<file>",
           "a file to copy into the skill as recording-context.json"},
};
constexpr std::array kIndexOptions{
    Option{"--check", "", Arity::none, "",
           "write nothing; fail if something is out of date or invalid"},
};

Result<Answer> run_validate(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const auto dry_run =
      arguments.has("--dry-run") ? phone_skills::DryRun::yes : phone_skills::DryRun::no;
  const bool all = arguments.has("--all");
  if (all != arguments.positionals().empty()) {
    return fail(errc::usage,
                "skills validate <skill_id> [--dry-run] | skills validate --all [--dry-run]");
  }
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  if (all) {
    TRY(std::string json, phone_skills::validate_all(repo, dry_run));
    return Answer{std::move(json), {}, {}, 0};
  }
  TRY(const phone_skills::Skill* skill, phone_skills::skill_of(repo, arguments.positionals()[0]));
  TRY(const phone_skills::Checks checks, phone_skills::validate_skill(repo, *skill, dry_run));
  return Answer{phone_skills::validation_json(repo, *skill, checks, dry_run), {}, {}, 0};
}

Result<Answer> run_compile(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const auto& words = arguments.positionals();
  const std::string* id = arguments.value("--skill-id");
  if (id == nullptr && !words.empty()) id = words.data();
  const std::string* name = arguments.value("--artifact");
  if (id == nullptr || name == nullptr) {
    return fail(errc::usage,
                "skills compile-artifact <skill_id> --artifact <name> [--vars <json>] | skills "
                "compile-artifact --skill-id <id> --artifact <name> [--vars <json>]");
  }
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  TRY(const phone_skills::Skill* skill, phone_skills::skill_of(repo, *id));
  TRY(const phone_skills::ArtifactName artifact, phone_skills::find_artifact(*skill, *name));
  TRY(const Json vars, phone_skills::parse_vars(arguments.value_or("--vars", "{}")));
  TRY(const std::filesystem::path file, phone_skills::file_of(repo, *skill, artifact.path));
  TRY(const std::string text, phone_skills::read_text(file, phone_skills::kMaxArtifact));
  TRY(const std::string execution,
      phone_skills::compile_artifact({skill->id, artifact.bare, text}, vars));
  return Answer{JsonObject().json("execution", execution).str(), {}, {}, 0};
}

Result<Answer> run_new(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.positionals().empty()) {
    return fail(errc::usage,
                "skills new <skill_id> [--summary <text>] [--recording-context <file>]");
  }
  phone_skills::NewSkill wanted{.id = arguments.positionals()[0]};
  if (const std::string* summary = arguments.value("--summary")) wanted.summary = *summary;
  if (const std::string* file = arguments.value("--recording-context")) {
    wanted.recording_context = expand_home(*file);
  }
  TRY(const phone_skills::CreatedSkill created, phone_skills::create_skill(wanted));
  JsonObject json;
  json.boolean("created", true).text("skillId", created.id);
  json.text("registryPath", created.registry_path.string());
  json.text("skillPath", created.folder.string()).strings("files", created.files);
  return Answer{json.str(), {}, {}, 0};
}

Result<Answer> run_index(const Invocation& invocation) {
  using phone_skills::RegistryUse;
  const bool check = invocation.arguments.has("--check");
  TRY(const phone_skills::Repo repo,
      phone_skills::load_repo(phone_skills::EntryReading::fields,
                              check ? RegistryUse::read : RegistryUse::write));
  std::vector<std::string> problems = phone_skills::repository_problems(repo);
  const phone_skills::IndexFiles wanted = phone_skills::make_indexes(repo.registry);
  if (check) {
    for (phone_skills::StaleIndex& stale : phone_skills::stale_indexes(repo, wanted)) {
      problems.push_back(std::move(stale.text));
    }
  }
  if (!problems.empty()) {
    const auto details = ErrorMembers().strings("problems", problems);
    return fail(errc::skills_index_stale,
                "The skills repository is not consistent: " + problems.front(),
                ErrorMembers()
                    .text("registryPath", repo.registry_path.string())
                    .object("details", details)
                    .str());
  }
  if (!check) TRY_VOID(phone_skills::write_indexes(repo, wanted));
  std::vector<std::string> names;
  for (const auto& [path, text] : wanted) names.push_back(path);
  JsonObject json;
  json.boolean(check ? "valid" : "written", true);
  json.text("registryPath", repo.registry_path.string());
  json.number("totalSkills", static_cast<std::int64_t>(repo.registry.skills.size()));
  return Answer{json.strings("files", names).str(), {}, {}, 0};
}

}  // namespace

constinit const Command kSkillsValidate =
    host_command("skills validate", "<skill_id> [--dry-run] | --all [--dry-run]",
                 "Check a skill's files against its registry entry",
                 "This is an integrity check, not a live device test: no script is run.\n"
                 "`skills validate --all` checks every skill.",
                 "skills validate com.android.settings.capture-overview --dry-run\n"
                 "skills validate --all\n",
                 kValidateOptions, run_validate, 1);

constinit const Command kSkillsCompileArtifact = host_command(
    "skills compile-artifact", "<skill_id> --artifact <name> [--vars <json>]",
    "Build an execution from a skill's artifact",
    R"({{NAME}} in the artifact is replaced by a value of --vars. Unless --vars names them, COMMAND_ID and
    TASK_ID are derived from the skill, the artifact and the values: the same input gives the same
    execution. `exec` runs the printed "execution".)",
    "skills compile-artifact com.android.settings.open-row --artifact open-row --vars "
    "'{\"ROW\":\"Display\"}'\n",
    kCompileOptions, run_compile, 1);

constinit const Command kSkillsNew = host_command(
    "skills new", "<skill_id> [--summary <text>] [--recording-context <file>]",
    "Write the files of a new skill into the registry's repository",
    "An id is the app's package, a dot and an intent. The generated SKILL.md, skill.json,\n"
    "scripts/run.js and scripts/run.sh work unchanged, and the registry gets an entry.",
    "skills new com.example.app.open-cart --summary 'Open the cart and read its total'\n",
    kNewOptions, run_new, 1);

constinit const Command kSkillsIndex = host_command(
    "skills index", "[--check]", "Write skills/generated, or check a skills repository",
    R"(Writes manifest.json, skills-index.min.json, skills-index.jsonl, by-app/ and by-prefix/ from the
    registry. --check writes nothing: it fails with SKILLS_INDEX_STALE if the registry breaks its
    schema, a file is missing, a skill is not registered, or an index differs from the registry.)",
    "skills index\n"
    "skills index --check\n",
    kIndexOptions, run_index);

}  // namespace clawperator::cli
