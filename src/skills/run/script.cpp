#include "skills/run/script.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_document.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::skills {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kAgentScript = "scripts/run.js";

std::unexpected<Error> no_script(const std::string& message) {
  return fail(errc::skill_script_not_found, message);
}

const std::string& preferred(const std::vector<std::string>& scripts) {
  for (const std::string_view ending : {".js", ".sh"}) {
    const auto found = std::ranges::find_if(
        scripts, [&](const std::string& script) { return script.ends_with(ending); });
    if (found != scripts.end()) return *found;
  }
  return scripts.front();
}

Result<fs::path> script_of(const Repo& repo, const Skill& skill, const Manifest& manifest) {
  if (skill.scripts.empty()) return no_script("Skill " + skill.id + " has no scripts defined");
  const std::string chosen =
      manifest.agent ? skill.path + "/" + std::string(kAgentScript) : preferred(skill.scripts);
  if (manifest.agent && std::ranges::find(skill.scripts, chosen) == skill.scripts.end()) {
    return no_script("Skill " + skill.id + " is agent-driven and must list " + chosen);
  }
  TRY(const fs::path file, file_of(repo, skill, chosen));
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return fs::absolute(file, ignored);
  return no_script("Script not found: " + file.string());
}

// The words that run the script; its arguments follow.
Result<std::vector<std::string>> words_for(const Skill& skill, const fs::path& script) {
  if (script.extension() != ".js") return std::vector{script.string()};
  if (find_program("node")) return std::vector<std::string>{"node", script.string()};
  return no_script("Skill " + skill.id + " needs the program node to run " +
                   script.filename().string() +
                   ", and PATH has none. Install it (Debian: apt-get install nodejs).");
}

Result<fs::path> agent_program(const Repo& repo, const Skill& skill, const Agent& agent) {
  if (agent.cli_path.empty()) {
    if (const auto found = find_program(agent.cli)) return *found;
    return fail(
        errc::skill_agent_cli_unavailable,
        "Skill " + skill.id + " needs the agent program " + agent.cli + ", and PATH has none.");
  }
  const fs::path path = repo.root / skill.path / agent.cli_path;  // an absolute one stays
  if (find_program(path.string())) return path;
  return fail(errc::skill_agent_cli_unavailable, "Skill " + skill.id + " needs the agent program " +
                                                     path.string() +
                                                     ", which is not there or cannot be executed.");
}

// What an agent-driven script finds in its environment.
Result<void> add_agent(const Repo& repo, const Skill& skill, const Agent& agent,
                       const RunSettings& settings, std::vector<std::string>* variables) {
  TRY(const fs::path program, agent_program(repo, skill, agent));
  TRY(const fs::path text, file_of(repo, skill, skill.skill_file));
  std::error_code ignored;
  if (!fs::is_regular_file(text, ignored)) {
    return fail(errc::skill_validation_failed,
                "Skill " + skill.id + " is agent-driven and lacks " + text.string());
  }
  variables->push_back("CLAWPERATOR_SKILL_AGENT_CLI=" + agent.cli);
  variables->push_back("CLAWPERATOR_SKILL_AGENT_CLI_PATH=" +
                       fs::absolute(program, ignored).string());
  variables->push_back("CLAWPERATOR_SKILL_AGENT_TIMEOUT_MS=" +
                       std::to_string(settings.limit.count()));
  variables->push_back("CLAWPERATOR_SKILL_INPUTS=" + strings_json(settings.args));
  variables->push_back("CLAWPERATOR_SKILL_PROGRAM=" + text.string());
  variables->push_back("CLAWPERATOR_SKILL_ID=" + skill.id);
  variables->push_back("CLAWPERATOR_SKILLS_REGISTRY=" + repo.registry_path.string());
  return ok();
}

std::vector<std::string> variables_for(const RunSettings& settings) {
  const std::string device = "CLAWPERATOR_DEVICE_ID";
  std::vector<std::string> variables{"CLAWPERATOR_BIN=" + program_for_scripts(),
                                     "CLAWPERATOR_OPERATOR_PACKAGE=" + settings.operator_package,
                                     settings.device ? device + "=" + *settings.device : device};
  // What the script runs is to find the device where it was looked for: the flag is not passed on.
  if (settings.adb_server) variables.push_back("ADB_SERVER_SOCKET=" + *settings.adb_server);
  return variables;
}

}  // namespace

Result<TrustedManifest> manifest_of(const Repo& repo, const Skill& skill) {
  const auto read = [&]() -> Result<Json> {
    TRY(const fs::path path, file_of(repo, skill, skill.path + "/skill.json"));
    TRY(const std::string text, read_text(path, kMaxSkillJson));
    return read_skill_json(text);
  };
  const auto json = read();
  if (!json) return TrustedManifest{{}, json.error().message()};
  auto manifest = read_manifest(*json, skill);
  if (manifest) return TrustedManifest{*std::move(manifest), {}};
  const Json* agent = find_member(*json, "agent");
  if (agent != nullptr && !agent->is_null()) return std::unexpected(manifest.error());
  return TrustedManifest{{}, manifest.error().message()};
}

Result<ChildCommand> command_for(const Repo& repo, const Skill& skill, const Manifest& manifest,
                                 const RunSettings& settings) {
  TRY(const fs::path script, script_of(repo, skill, manifest));
  ChildCommand command{.variables = variables_for(settings),
                       .leftovers = ChildCommand::Leftovers::ended};
  TRY(command.words, words_for(skill, script));
  if (manifest.agent) {
    TRY_VOID(add_agent(repo, skill, *manifest.agent, settings, &command.variables));
  } else if (settings.device) {
    command.words.push_back(*settings.device);
  }
  command.words.insert(command.words.end(), settings.args.begin(), settings.args.end());
  return command;
}

std::string program_for_scripts() {
  if (const auto given = environment_variable("CLAWPERATOR_BIN")) return *given;
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).string();
}

}  // namespace clawperator::skills
