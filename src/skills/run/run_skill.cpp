#include "skills/run/run_skill.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "adbproto/link/blocking.hpp"
#include "runtime/contract/errc.hpp"
#include "skills/repo/validate.hpp"
#include "skills/result/bounded_text.hpp"
#include "skills/run/script.hpp"

namespace clawperator::skills {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestLogged = 4096;
constexpr std::size_t kMostLogged = 1000;  // pieces of output of one run

// A run that is under way.
struct Run {
  RunRequest request;
  Repo repo{};
  const Skill* skill = nullptr;
  TrustedManifest manifest{};
  milliseconds limit{};
  BoundedText out{};
  BoundedText err{};
  TextSearch expected{};
  std::size_t logged = 0;
};

milliseconds limit_of(const Run& run) {
  const auto& agent = run.manifest.manifest.agent;
  if (run.request.asked.timeout) return *run.request.asked.timeout;
  return agent && agent->timeout ? *agent->timeout : kSkillLimit;
}

void log_event(const Run& run, LogLevel level, std::string_view event, std::string_view message,
               JsonObject members = {}) {
  if (run.request.log == nullptr) return;
  members.text("skillId", run.request.asked.skill_id);
  run.request.log->write(level, event, message, members);
}

void hear(Run* run, ChildStream stream, std::string_view said) {
  const bool is_out = stream == ChildStream::out;
  (is_out ? run->out : run->err).append(said);
  if (is_out) run->expected.look_at(said);
  if (++run->logged <= kMostLogged) {
    log_event(*run, LogLevel::info, "skills.run.output",
              run->logged < kMostLogged ? said.substr(0, kLongestLogged) : "no more is logged",
              JsonObject().text("stream", is_out ? "stdout" : "stderr"));
  }
  if (run->request.on_output) run->request.on_output(stream, said);
}

Result<void> look_up(Run* run) {
  TRY(run->repo, load_repo());
  TRY(run->skill, skill_of(run->repo, run->request.asked.skill_id));
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
  return {.skill_id = run.request.asked.skill_id,
          .source = source_of(run.manifest.manifest),
          .required = run.manifest.manifest.agent.has_value(),
          .untrusted = run.manifest.untrusted};
}

std::string why_not_executed(const ChildCommand& command, const Error& error) {
  const bool refused = command.words[0] != "node" && ::access(command.words[0].c_str(), X_OK) != 0;
  if (!refused) return error.message();
  const int reason = errno;
  return std::string(::strerrorname_np(reason)) + ": " + std::strerror(reason);
}

// A frame of a newer minor version is read as far as it is known here.
void warn_of_newer_frame(const Run& run, const Outcome& outcome) {
  const std::string& version = outcome.contract_version;
  if (version.empty() || version.starts_with("1.0.")) return;
  log_event(run, LogLevel::warn, "skills.run.skill_result_minor_version_ahead",
            "the SkillResult is of contract version " + version.substr(0, 60));
}

void log_end(const Run& run, const Outcome& outcome, const Ended& ended) {
  JsonObject members;
  members.number("durationMs", ended.duration.count());
  if (ended.exit_code) members.number("exitCode", *ended.exit_code);
  if (ended.timed_out) {
    log_event(run, LogLevel::warn, "skills.run.timeout", "the skill ran out of time", members);
  } else if (outcome.kind == Outcome::Kind::success) {
    log_event(run, LogLevel::info, "skills.run.complete", "the skill has ended well", members);
  } else {
    log_event(run, LogLevel::warn, "skills.run.failed", "the skill has failed", members);
  }
}

Task<Outcome> carry_out(Run* run, ChildCommand command) {
  log_event(*run, LogLevel::info, "skills.run.start", "the skill begins");
  run->request.on_start();
  const auto begin = Clock::now();
  const auto done = co_await run_child(command);
  if (!done && done.error().code() == errc::host_dependency_missing) {
    co_return not_started(run->request.asked, why_not_executed(command, done.error()));
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
      judge_run(run->request.asked, ended, rules_of(*run), run->manifest.manifest.contract);
  log_end(*run, outcome, ended);
  warn_of_newer_frame(*run, outcome);
  co_return outcome;
}

}  // namespace

Task<Outcome> run_skill(RunRequest request) {
  Run run{.request = std::move(request)};
  if (run.request.asked.expect_contains) {
    run.expected = TextSearch(*run.request.asked.expect_contains);
  }
  CO_TRY_VOID(co_await run_blocking([&run] { return look_up(&run); }));
  if (run.request.check_device) CO_TRY_VOID(co_await run.request.check_device());
  CO_TRY(ChildCommand command, command_for(run.repo, *run.skill, run.manifest.manifest,
                                           {.args = run.request.asked.args,
                                            .device = run.request.device,
                                            .adb_server = run.request.adb_server,
                                            .operator_package = run.request.operator_package,
                                            .limit = run.limit}));
  command.limit = run.limit;
  command.farewell = run.request.farewell;
  command.on_output = [&run](ChildStream stream, std::string_view said) {
    hear(&run, stream, said);
  };
  co_return co_await carry_out(&run, std::move(command));
}

}  // namespace clawperator::skills
