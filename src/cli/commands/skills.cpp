// skills: automations for apps, from a registry on this computer; list, get, info, check, for-app,
// search

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/registry.hpp"
#include "skills/phone/validate.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kListOptions = join(kAgentOption, kEligibleOption, kRemoteOptions, kPlaceOptions);
constexpr auto kInfoOptions = join(kAgentOption, kRemoteOptions, kPlaceOptions);
constexpr std::array kSearchOptions{
    Option{"--app", "--package --package-id --application-id", Arity::one, "<package>",
           "only skills of this app"},
    Option{"--intent", "", Arity::one, "<intent>", "only skills with this intent"},
    Option{"--keyword", "", Arity::one, "<text>",
           "search for this text; the best matches come first"},
};

Answer listed(const Invocation& invocation, const std::vector<const phone_skills::Skill*>& found) {
  Answer answer{.json = phone_skills::listing_json(found)};
  if (invocation.globals.output != OutputMode::pretty) return answer;
  std::vector<std::vector<std::string>> rows;
  rows.reserve(found.size());
  for (const phone_skills::Skill* skill : found) {
    rows.push_back({printable_name(skill->id), printable_name(skill->summary)});
  }
  answer.text = rows.empty() ? "no skills\n" : table(rows);
  return answer;
}

Result<Answer> answer_query(const Invocation& invocation, const phone_skills::Query& query) {
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  return listed(invocation, phone_skills::search(repo.registry, query));
}

bool is_about_agents(const Invocation& invocation) { return invocation.arguments.has("--agent"); }

// Refuses the options that exist only for agent skills.
Result<void> refuse_agent_options(const Invocation& invocation) {
  for (const char* flag : {"--eligible", "--remote", "--workspace", "--contained"}) {
    if (invocation.arguments.has(flag)) {
      return fail(errc::usage, std::string(flag) + " requires --agent");
    }
  }
  return ok();
}

Result<Answer> run_skills_list(const Invocation& invocation) {
  if (is_about_agents(invocation)) return answer_agent_list(invocation);
  TRY_VOID(refuse_agent_options(invocation));
  const bool pretty = invocation.globals.output == OutputMode::pretty;
  TRY(const phone_skills::Repo repo,
      phone_skills::load_repo(pretty ? phone_skills::EntryReading::fields
                                     : phone_skills::EntryReading::text));
  return listed(invocation, phone_skills::search(repo.registry, {}));
}

Result<Answer> run_get(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(errc::usage, "skills get <skill_id>");
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  TRY(const phone_skills::Skill* skill, phone_skills::skill_of(repo, words[0]));
  return Answer{JsonObject().json("skill", skill->json).str(), {}, {}, 0};
}

Result<Answer> run_info(const Invocation& invocation) {
  if (is_about_agents(invocation)) return answer_agent_info(invocation);
  TRY_VOID(refuse_agent_options(invocation));
  return run_get(invocation);
}

Result<Answer> run_check(const Invocation& invocation) {
  if (is_about_agents(invocation)) return answer_agent_check(invocation);
  TRY_VOID(refuse_agent_options(invocation));
  TRY(const phone_skills::Repo repo, phone_skills::load_repo());
  TRY(std::string json, phone_skills::validate_all(repo, phone_skills::DryRun::no));
  return Answer{std::move(json), {}, {}, 0};
}

Result<Answer> run_for_app(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return fail(errc::usage, "skills for-app <package_id>");
  return answer_query(invocation, {.app = words[0]});
}

std::optional<std::string> option_of(const Arguments& arguments, std::string_view name) {
  const std::string* value = arguments.value(name);
  return value ? std::optional(*value) : std::nullopt;
}

Result<Answer> run_search(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  phone_skills::Query query{.app = option_of(arguments, "--app"),
                            .intent = option_of(arguments, "--intent"),
                            .keyword = option_of(arguments, "--keyword")};
  if (!query.keyword && !arguments.positionals().empty()) {
    query.keyword = arguments.positionals().front();
  }
  const bool blank = !query.keyword || is_blank(*query.keyword);
  if (!query.app && !query.intent && blank) {
    return fail(
        errc::usage,
        "skills search [--app <package_id>] [--intent <intent>] [--keyword <text>] | "
        "<keyword>",
        ErrorMembers().text("example", "clawperator skills search --keyword settings").str());
  }
  return answer_query(invocation, query);
}

constexpr std::array<const Command*, 15> kSkillsSubcommands{
    &kSkillsList,   &kSkillsGet,      &kSkillsInfo,
    &kSkillsCheck,  &kSkillsForApp,   &kSkillsSearch,
    &kSkillsRun,    &kSkillsValidate, &kSkillsCompileArtifact,
    &kSkillsNew,    &kSkillsIndex,    &kSkillsInstall,
    &kSkillsUpdate, &kSkillsSync,     &kSkillsScan};

}  // namespace

constinit const Command kSkillsList =
    host_command("skills list", "[--agent [--eligible]]", "List every skill of the registry",
                 "{\"skills\",\"count\"}: each skill as in the registry. With --agent it is "
                 "`agent-skills list`.",
                 "skills list\n", kListOptions, run_skills_list);

constinit const Command kSkillsInfo =
    host_command("skills info", "<skill_id> [--agent]", "Print one skill",
                 "It is `skills get`; with --agent it is `agent-skills info`.",
                 "skills info gog --agent\n", kInfoOptions, run_info, 1);

constinit const Command kSkillsCheck =
    host_command("skills check", "[--agent]", "Check every skill",
                 "It is `skills validate --all`; with --agent it is `agent-skills check`.",
                 "skills check --agent\n", kInfoOptions, run_check);

constinit const Command kSkillsGet =
    host_command("skills get", "<skill_id>", "Print one skill of the registry",
                 "{\"skill\"}; SKILL_NOT_FOUND for an unknown id.",
                 "skills get com.android.settings.capture-overview\n", {}, run_get, 1);

constinit const Command kSkillsForApp = host_command(
    "skills for-app", "<package_id>", "List the skills of an app", "It is `skills search --app`.",
    "skills for-app com.android.settings\n", {}, run_for_app, 1);

constinit const Command kSkillsSearch = host_command(
    "skills search", "[--app <package>] [--intent <intent>] [--keyword <text>] | <keyword>",
    "Find skills by app, intent and keyword",
    "App and intent must be equal. Matches of a keyword are ordered: a skill's keyword equals\n"
    "it, a keyword contains it, the id contains it, the summary contains it.",
    "skills search settings\n"
    "skills search --app com.android.settings --keyword overview\n",
    kSearchOptions, run_search, 1);

constinit const Command kSkills = {
    "skills",
    "",
    "list|get|info|check|for-app|search|run|validate|compile-artifact|new|index|install|update|"
    "sync ...",
    "Find, run and write skills: automations of apps",
    "The registry is the first of these: CLAWPERATOR_SKILLS_REGISTRY, "
    "./skills/skills-registry.json,\n"
    "../../skills/skills-registry.json, the one in ~/.clawperator/skills, the examples that are\n"
    "installed with this program.",
    "skills install\n"
    "skills search --keyword settings\n"
    "skills run com.android.settings.capture-overview --device emulator-5554\n",
    Reach::device,
    {},
    nullptr,
    kSkillsSubcommands};

}  // namespace clawperator::cli
