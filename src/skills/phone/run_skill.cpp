#include "skills/phone/run_skill.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/async/blocking.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/own_program.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"
#include "runtime/host/verbs/shell_verb.hpp"
#include "skills/phone/output_lines.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/manifest.hpp"
#include "skills/phone/validate.hpp"

namespace clawperator::phone_skills {

namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostLogged = 1000;  // lines of output of one run
constexpr std::string_view kAgentScript = "scripts/run.js";
// The variables for scripts, and for the `clawperator` and `adb` that they call, beside those that
// are set for them.
constexpr std::string_view kScriptVariables = "CLAWPERATOR_* DEVICE_ID ADB_* ANDROID_* JAVA_HOME";

// The content of skill.json, or why it cannot be trusted.
struct TrustedManifest {
  Manifest manifest{};
  std::string untrusted{};
};

// A run that is under way.
struct Run {
  explicit Run(RunRequest given) : request(std::move(given)) {}

  RunRequest request;
  Repo repo{};
  const Skill* skill = nullptr;
  TrustedManifest manifest{};
  milliseconds limit{};
  BoundedText out{};
  BoundedText err{};
  TextSearch expected{};
  // The log gets whole lines, so that a secret in them can be recognised.
  OutputLines logged{
      [this](ChildStream stream, const std::string& line) {
        const std::string_view name = stream == ChildStream::out ? "stdout" : "stderr";
        log_event(LogLevel::info, "skills.run.output", line, JsonObject().text("stream", name));
      },
      kMostLogged};

  void log_event(LogLevel level, std::string_view event, std::string_view message,
                 JsonObject members = {}) const {
    if (request.log == nullptr) return;
    members.text("skillId", request.call.skill_id);
    request.log->write(level, event, message, members);
  }
};

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

// The first .js, else the first .sh, else the first; of an agent-driven skill kAgentScript.
Result<fs::path> script_of(const Run& run) {
  const Skill& skill = *run.skill;
  const bool is_agents = run.manifest.manifest.agent.has_value();
  if (skill.scripts.empty()) return no_script("Skill " + skill.id + " has no scripts defined");
  const std::string chosen =
      is_agents ? skill.path + "/" + std::string(kAgentScript) : preferred(skill.scripts);
  if (is_agents && std::ranges::find(skill.scripts, chosen) == skill.scripts.end()) {
    return no_script("Skill " + skill.id + " is agent-driven and must list " + chosen);
  }
  TRY(const fs::path file, file_of(run.repo, skill, chosen));
  std::error_code ignored;
  if (is_plain_file(file)) return fs::absolute(file, ignored);
  return no_script("Script not found: " + file.string());
}

// The interpreter in the script's first line: "/bin/sh" of "#!/bin/sh -e". nullopt: it names none.
std::optional<std::string> interpreter_of(const fs::path& script) {
  std::array<char, 256> start{};  // BINPRM_BUF_SIZE: the kernel reads no more
  const FileHandle file(::open(script.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const ssize_t size = file.is_open() ? ::read(file.get(), start.data(), start.size()) : 0;
  std::string_view line(start.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  line = line.substr(0, line.find('\n'));
  if (!line.starts_with("#!")) return std::nullopt;
  line.remove_prefix(std::min(line.find_first_not_of(" \t", 2), line.size()));
  return std::string(line.substr(0, line.find_first_of(" \t")));
}

// The command line that runs the script; its arguments follow.
Result<std::vector<std::string>> words_for(const Skill& skill, const fs::path& script) {
  // As a shell runs such a file; the kernel does not.
  const bool is_for_sh = script.extension() == ".sh" && !interpreter_of(script);
  if (is_for_sh) return std::vector<std::string>{"sh", script.string()};
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
  fs::path path = repo.root / skill.path / agent.cli_path;  // an absolute one stays
  if (find_program(path.string())) return path;
  return fail(errc::skill_agent_cli_unavailable, "Skill " + skill.id + " needs the agent program " +
                                                     path.string() +
                                                     ", which is not there or cannot be executed.");
}

// The variables of an agent-driven script.
Result<void> add_agent(const Run& run, const Agent& agent, std::vector<std::string>* variables) {
  const Skill& skill = *run.skill;
  TRY(const fs::path program, agent_program(run.repo, skill, agent));
  TRY(const fs::path text, file_of(run.repo, skill, skill.skill_file));
  if (!is_plain_file(text)) {
    return fail(errc::skill_validation_failed,
                "Skill " + skill.id + " is agent-driven and lacks " + text.string());
  }
  std::error_code ignored;
  variables->insert(
      variables->end(),
      {"CLAWPERATOR_SKILL_AGENT_CLI=" + agent.cli,
       "CLAWPERATOR_SKILL_AGENT_CLI_PATH=" + fs::absolute(program, ignored).string(),
       "CLAWPERATOR_SKILL_AGENT_TIMEOUT_MS=" + std::to_string(run.limit.count()),
       "CLAWPERATOR_SKILL_INPUTS=" + strings_json(run.request.call.args),
       "CLAWPERATOR_SKILL_PROGRAM=" + text.string(), "CLAWPERATOR_SKILL_ID=" + skill.id,
       "CLAWPERATOR_SKILLS_REGISTRY=" + run.repo.registry_path.string()});
  return ok();
}

// CLAWPERATOR_BIN where it is set, else this program's own path.
std::string program_for_scripts() {
  if (const auto given = environment_variable("CLAWPERATOR_BIN")) return *given;
  return own_program().string();
}

std::vector<std::string> variables_for(const RunRequest& request) {
  const std::string device = "CLAWPERATOR_DEVICE_ID";
  std::vector<std::string> variables{
      "CLAWPERATOR_BIN=" + program_for_scripts(),
      "CLAWPERATOR_OPERATOR_PACKAGE=" +
          request.operator_package.value_or(std::string(kReleaseOperatorPackage)),
      request.target.device ? device + "=" + *request.target.device : device};
  // The script's commands must find the device where it was found here, so the flag's value is
  // passed on as a variable.
  if (const auto& server = request.target.adb_server) {
    variables.push_back("ADB_SERVER_SOCKET=" + *server);
  }
  return variables;
}

// For a skill that is not validated. skill_validation_failed: an agent is to carry it out, and
// skill.json does not name one.
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

// skill_script_not_found, skill_validation_failed, skill_agent_cli_unavailable.
Result<ChildCommand> command_for(const Run& run) {
  const RunRequest& request = run.request;
  TRY(const fs::path script, script_of(run));
  ChildCommand command{.needed_variables = kScriptVariables,
                       .variables = variables_for(request),
                       .limit = run.limit,
                       .farewell = request.farewell,
                       .leftovers = ChildCommand::Leftovers::ended};
  TRY(command.words, words_for(*run.skill, script));
  if (const auto& agent = run.manifest.manifest.agent) {
    TRY_VOID(add_agent(run, *agent, &command.variables));
  } else if (request.target.device) {
    command.words.push_back(*request.target.device);
  }
  const auto& args = request.call.args;
  command.words.insert(command.words.end(), args.begin(), args.end());
  return command;
}

milliseconds limit_of(const Run& run) {
  const auto& agent = run.manifest.manifest.agent;
  if (run.request.call.timeout) return *run.request.call.timeout;
  return agent && agent->timeout ? *agent->timeout : kSkillLimit;
}

void take_output(Run* run, ChildStream stream, std::string_view text) {
  const bool is_out = stream == ChildStream::out;
  (is_out ? run->out : run->err).append(text);
  if (is_out) run->expected.take(text);
  run->logged.take(stream, text);
  if (run->request.on_output) run->request.on_output(stream, text);
}

Result<void> prepare(Run* run) {
  TRY(run->repo, load_repo());
  TRY(run->skill, skill_of(run->repo, run->request.call.skill_id));
  for (const std::string& script : run->skill->scripts) {
    TRY_VOID(file_of(run->repo, *run->skill, script));  // whether or not it is validated
  }
  if (run->request.skip_validate) {
    TRY(run->manifest, manifest_of(run->repo, *run->skill));
  } else {
    TRY(Checks checks, validate_skill(run->repo, *run->skill, DryRun::yes));
    run->manifest.manifest = std::move(checks.manifest);
  }
  run->limit = limit_of(*run);
  return ok();
}

std::string source_of(const Manifest& manifest) {
  if (!manifest.agent) return JsonObject().text("kind", "script").str();
  return JsonObject().text("kind", "agent").text("agentCli", manifest.agent->cli).str();
}

FrameRules rules_of(const Run& run) {
  return {.skill_id = run.request.call.skill_id,
          .source = source_of(run.manifest.manifest),
          .required = run.manifest.manifest.agent.has_value(),
          .untrusted = run.manifest.untrusted};
}

std::string why_not_executed(const ChildCommand& command, const Error& error) {
  const std::string& program = command.words[0];
  if (!program.starts_with('/')) return error.message();  // node, sh
  if (::access(program.c_str(), X_OK) != 0) {
    const int reason = errno;
    return std::string(::strerrorname_np(reason)) + ": " + std::strerror(reason);
  }
  auto interpreter = interpreter_of(program);
  if (!interpreter || is_there(*interpreter)) return error.message();
  const bool has_return = interpreter->ends_with('\r');
  if (has_return) interpreter->pop_back();
  return "ENOENT: its first line names the interpreter " + *interpreter +
         (has_return ? ", and ends with a carriage return: give the script LF line ends"
                     : ", which is not there");
}

// A frame of a newer minor version is read as far as this version knows it.
void warn_of_newer_frame(const Run& run, const Outcome& outcome) {
  const std::string& version = outcome.contract_version;
  if (version.empty() || version.starts_with("1.0.")) return;
  run.log_event(LogLevel::warn, "skills.run.skill_result_minor_version_ahead",
                "the SkillResult is of contract version " + version.substr(0, 60));
}

void log_end(const Run& run, const Outcome& outcome, const Ended& ended) {
  JsonObject members;
  members.number("durationMs", ended.duration.count());
  if (ended.exit_code) members.number("exitCode", *ended.exit_code);
  if (ended.timed_out) {
    run.log_event(LogLevel::warn, "skills.run.timeout", "the skill ran out of time", members);
  } else if (outcome.kind == Outcome::Kind::success) {
    run.log_event(LogLevel::info, "skills.run.complete", "the skill has ended well", members);
  } else {
    run.log_event(LogLevel::warn, "skills.run.failed", "the skill has failed", members);
  }
}

Task<Outcome> carry_out(Run* run, ChildCommand command) {
  run->log_event(LogLevel::info, "skills.run.start", "the skill begins");
  run->request.on_start();
  const auto begin = Clock::now();
  const auto done = co_await run_child(command);
  run->logged.end();
  if (!done && done.error().code() == errc::host_dependency_missing) {
    co_return not_started(run->request.call, why_not_executed(command, done.error()));
  }
  const bool timed_out = !done && done.error().code() == errc::deadline_exceeded;
  if (!done && !timed_out) co_return std::unexpected(done.error());
  Ended ended{.timed_out = timed_out,
              .out = run->out.str(),
              .err = run->err.str(),
              .has_expected = run->expected.was_found(),
              .duration = std::chrono::duration_cast<milliseconds>(Clock::now() - begin),
              .limit = run->limit};
  if (done) ended.exit_code = done->exit_status;
  Outcome outcome =
      judge_run(run->request.call, ended, rules_of(*run), run->manifest.manifest.contract);
  log_end(*run, outcome, ended);
  warn_of_newer_frame(*run, outcome);
  co_return outcome;
}

}  // namespace

Task<Outcome> run_skill(RunRequest request) {
  Run run(std::move(request));
  if (run.request.call.expect_contains) {
    run.expected = TextSearch(*run.request.call.expect_contains);
  }
  CO_TRY_VOID(co_await run_blocking([&run] { return prepare(&run); }));
  const RunRequest& given = run.request;
  CO_TRY(run.request.operator_package,
         co_await ready_for_script(given.target, given.operator_package, given.resolve));
  CO_TRY(ChildCommand command, command_for(run));
  command.on_output = [&run](ChildStream stream, std::string_view text) {
    take_output(&run, stream, text);
  };
  co_return co_await carry_out(&run, std::move(command));
}

}  // namespace clawperator::phone_skills
