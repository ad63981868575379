#include "skills/phone/skills_sync.hpp"

#include "base/json_text.hpp"
#include "base/system/environment.hpp"
#include "base/url.hpp"
#include "cli/adb/transfer.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "skills/phone/repo.hpp"

namespace clawperator::cli {
namespace {

constexpr Option kRepoOption{"--repo", "", Arity::one, "<url>",
                             "the repository: https, ssh, or a local folder"};
constexpr std::array kSkillsInstallOptions{kRepoOption};
constexpr Option ref_option(OnMissing on_missing) {
  return {"--ref", "", Arity::one, "<git-ref>", "a branch, a tag or a commit", "", on_missing};
}
constexpr std::array kSkillsUpdateOptions{ref_option(OnMissing::usage), kRepoOption};
constexpr std::array kSkillsSyncOptions{ref_option(OnMissing::command), kRepoOption};

enum class Ref { main_unless_given, must_be_given };

Result<std::string> wanted_ref(const Invocation& invocation, Ref ref) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.repeated("--ref")) {
    return fail(errc::usage, "--ref must not appear more than once");
  }
  const std::string* given = arguments.value("--ref");
  if (given != nullptr && given->find_first_not_of(" \t") != given->npos) return *given;
  if (!arguments.has("--ref") && ref == Ref::main_unless_given) return "main";
  return fail(errc::usage, std::string(invocation.command->name) + " --ref <git-ref>");
}

// From --repo or CLAWPERATOR_SKILLS_REPO; else the origin of the folder.
std::string wanted_repository(const Arguments& arguments) {
  if (const std::string* given = arguments.value("--repo")) return expand_home(*given);
  return expand_home(environment_variable("CLAWPERATOR_SKILLS_REPO").value_or(""));
}

Result<phone_skills::SyncOptions> read_sync_options(const Invocation& invocation, Ref ref) {
  if (!invocation.arguments.positionals().empty()) {
    return fail(errc::usage, std::string(invocation.command->name) + " takes no further words");
  }
  if (const std::string* repo = invocation.arguments.value("--repo"); repo && repo->empty()) {
    return fail(errc::usage, "--repo must be a URL or a folder");
  }
  phone_skills::SyncOptions options;
  TRY(options.ref, wanted_ref(invocation, ref));
  options.url = wanted_repository(invocation.arguments);
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  options.limits.whole = limit.value_or(options.limits.whole);
  options.folder = phone_skills::installed_repo();
  return options;
}

Result<phone_skills::SyncReport> sync_with_progress(phone_skills::SyncOptions options) {
  ProgressLine line(ProgressLine::Shown::if_terminal, Stream::err);
  options.on_fetched = [&line](std::uint64_t, std::uint64_t objects, std::uint64_t in_all) {
    line.show({"skills", objects, in_all, objects, in_all});
  };
  return run_task(phone_skills::sync_skills(std::move(options)));
}

void warn_of_new_origin(const phone_skills::SyncReport& report) {
  if (report.former_url.empty()) return;
  print_warning("[clawperator] WARN: the repository has changed from " +
                shown_url(report.former_url) + " to " + report.url);
}

enum class Answered { with_registry, without };

template <Answered answered, Ref ref>
Result<Answer> run_sync(const Invocation& invocation) {
  TRY(phone_skills::SyncOptions options, read_sync_options(invocation, ref));
  const std::string message =
      "Skills synced to " + options.folder.string() + " (ref: " + options.ref + ")";
  TRY(const phone_skills::SyncReport report, sync_with_progress(std::move(options)));
  warn_of_new_origin(report);
  JsonObject json;
  json.boolean("synced", true).text("message", message);
  if (answered == Answered::with_registry) json.text("registryPath", report.registry.string());
  Answer answer;
  answer.json = json.str();
  if (invocation.globals.output == OutputMode::pretty) {
    answer.text = printable(message) + "\n";
    print_warning("hint: commit " + report.commit.substr(0, 12) + " of " + report.url + ", " +
                  std::to_string(report.files) + " files changed\n" +
                  "hint: list the skills with: clawperator skills list");
  }
  return answer;
}

}  // namespace

constinit const Command kSkillsInstall =
    host_command("skills install", "[--repo <url>]", "Fetch the skills of a repository",
                 "Fetches the skills into ~/.clawperator/skills, a git checkout, or updates them "
                 "there. The git\n"
                 "program is not needed. --repo or CLAWPERATOR_SKILLS_REPO name another "
                 "repository; later updates\n"
                 "use it, too. --timeout is for all of it, default ten minutes.",
                 "skills install\n"
                 "skills install --repo git@github.com:me/my-skills.git\n",
                 kSkillsInstallOptions, run_sync<Answered::with_registry, Ref::main_unless_given>);

constinit const Command kSkillsUpdate =
    host_command("skills update", "[--ref <git-ref>] [--repo <url>]", "Update the fetched skills",
                 "Your changes stay: your own skills, your registry entries, your files. If the "
                 "repository changed\n"
                 "the same files, nothing is changed, and details.conflicts names them.",
                 "skills update\n"
                 "skills update --ref v1.2\n",
                 kSkillsUpdateOptions, run_sync<Answered::without, Ref::main_unless_given>);

constinit const Command kSkillsSync =
    host_command("skills sync", "--ref <git-ref> [--repo <url>]",
                 "Check out a branch, a tag or a commit of the skills",
                 "It is `skills update` with a given ref.", "skills sync --ref 3f2c1ab\n",
                 kSkillsSyncOptions, run_sync<Answered::without, Ref::must_be_given>);

}  // namespace clawperator::cli
