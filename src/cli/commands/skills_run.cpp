// skills run

#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "skills/phone/run_skill.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kRunOptions{
    Option{"--expect-contains", "", Arity::one, "<text>",
           "fail unless the output contains this text"},
    Option{"--skip-validate", "", Arity::none, "", "do not check the skill's files first"},
};

void print_banner(const EventLog& log) {
  std::string banner = "[Clawperator] v" + std::string(kVersionText);
  if (const auto path = log.path()) banner += "  Logs: " + *path + "  Hint: tail -f " + *path;
  print_warning(banner);
}

Result<phone_skills::SkillCall> read_call(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const auto& words = arguments.positionals();
  if (words.empty()) {
    return fail(errc::usage,
                "skills run <skill_id> [--device <id>] [--operator-package <pkg>] [--timeout <ms>] "
                "[--expect-contains <text>] [--skip-validate] [skill_args...]");
  }
  phone_skills::SkillCall call{.skill_id = words[0], .args = {words.begin() + 1, words.end()}};
  TRY(call.timeout, time_limit(invocation.globals));
  if (const std::string* text = arguments.value("--expect-contains")) call.expect_contains = *text;
  return call;
}

Result<Answer> run_run(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  EventLog log(log_options(globals));
  phone_skills::RunRequest request{.target = globals.target,
                                   .operator_package = operator_package(globals),
                                   .skip_validate = invocation.arguments.has("--skip-validate"),
                                   .farewell = caught_signal,
                                   .log = &log};
  TRY(request.call, read_call(invocation));
  if (globals.output == OutputMode::pretty) {
    request.on_start = [&log] { print_banner(log); };  // the log's file exists by now
    request.on_output = child_printer(Stream::out);
  }
  TRY(const phone_skills::Outcome outcome, run_task(phone_skills::run_skill(std::move(request))));
  const int code = outcome.kind == phone_skills::Outcome::Kind::success ? 0 : 1;
  return Answer{outcome.json, {}, {}, code};
}

}  // namespace

constinit const Command kSkillsRun = {
    "skills run",
    "",
    "<skill_id> [--timeout <ms>] [--expect-contains <text>] [--skip-validate] [skill_args...]",
    "Run a skill's script on a device",
    R"(First the skill is validated, and the device must be awake and unlocked. Then the script runs: .js
    by node, .sh by itself. It gets CLAWPERATOR_BIN and CLAWPERATOR_OPERATOR_PACKAGE. If --device names
    a device, it gets CLAWPERATOR_DEVICE_ID, which is also its first argument. Options that `skills run`
    does not have belong to the script. --timings, --backend, --transport and other global options stand
    before `skills`; -- ends our options. --timeout <ms> is for the script, default 120000.
    A script may report its result as a SkillResult frame, its last two lines:
    [Clawperator-Skill-Result]
    {"contractVersion":"1.0.0","skillId":"...","status":"success","checkpoints":[]}
    SKILL_OUTPUT_ASSERTION_FAILED: the output does not contain the text of --expect-contains.)",
    "skills run com.android.settings.capture-overview --device emulator-5554\n"
    "skills run com.example.app.set-mode --timeout 300000 --mode heat -- --json\n",
    Reach::device,
    kRunOptions,
    run_run,
    {},
    kAnyWords,
    Kind::script};

}  // namespace clawperator::cli
