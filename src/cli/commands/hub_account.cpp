// hub login, logout, whoami, publish, delete, undelete: the commands that need a hub account

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "cli/agent_workspace.hpp"
#include "cli/commands/hub.hpp"
#include "cli/output.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "skills/hub/browser_login.hpp"
#include "skills/hub/questions.hpp"

namespace clawperator::cli {
namespace {

// The token is sent in a header line; servers accept about 8 KiB of them.
constexpr std::size_t kMaxTokenInput = 8192;

constexpr auto kHubLoginOptions = join(
    std::array{
        Option{
            "--token", "", Arity::one, "<text>",
            "a token of the hub; - reads it from stdin, because others can read arguments in ps"},
        Option{"--label", "", Arity::one, "<text>", "the token's name in the hub's list"},
        Option{"--no-browser", "", Arity::none, "",
               "do not open a browser, only print the page's address"}},
    kHubOptions);
constexpr auto kHubPublishOptions = join(
    std::array{
        Option{"--slug", "", Arity::one, "<slug>", "default: from the folder's name"},
        Option{"--name", "", Arity::one, "<text>",
               "the name for people; default: from the folder's name"},
        Option{"--version", "", Arity::one, "<version>", "the published version, in semver form"},
        Option{"--changelog", "", Arity::one, "<text>", "the changes in this version"},
        Option{"--tags", "", Arity::one, "<list>", "separated by commas; default latest"},
        Option{"--fork-of", "", Arity::one, "<slug>",
               "the original skill, if this is a fork: <slug>@<version>"},
    },
    kHubOptions);
constexpr auto kHubDeleteOptions =
    join(std::array{Option{"--yes", "", Arity::none, "", "confirm the change"}}, kHubOptions);

// Reads the first line of stdin: a terminal, a pipe or a file.
Result<std::string> read_token_line(const TimeLimit& limit) {
  const auto end = limit ? base::Clock::now() + *limit : base::Clock::time_point::max();
  std::string input;
  while (!input.contains('\n')) {
    int left = -1;
    if (limit) {
      const auto rest = std::chrono::ceil<std::chrono::milliseconds>(end - base::Clock::now());
      left = static_cast<int>(std::max<std::int64_t>(0, rest.count()));
    }
    pollfd ready{STDIN_FILENO, POLLIN, 0};
    const int count = ::poll(&ready, 1, left);
    if (count == 0) return fail(errc::deadline_exceeded, "no token arrived on stdin in time");
    std::array<char, 1024> bytes;
    const ssize_t size = count < 0 ? -1 : ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return fail(errc::io, std::string("cannot read stdin: ") + std::strerror(errno));
    if (size == 0) break;
    input.append(bytes.data(), static_cast<std::size_t>(size));
    if (input.size() > kMaxTokenInput) return fail(errc::usage, "the input is longer than a token");
  }
  return std::string(trim_js(first_line(input)));
}

Result<std::string> token_from_browser(const Invocation& invocation, hub::Places places) {
  hub::BrowserLogin login;
  if (const std::string* label = invocation.arguments.value("--label")) login.label = *label;
  login.opens_browser = !invocation.arguments.has("--no-browser");
  login.on_url = [&login](const std::string& url) {
    print_warning((login.opens_browser ? "Opening the browser: " : "Log in at: ") + url);
  };
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  login.limit = std::min(login.limit, limit.value_or(login.limit));
  return run_task(hub::token_by_browser(std::move(places), login));
}

Result<std::string> token_of(const Invocation& invocation) {
  if (!invocation.arguments.has("--token")) {
    TRY(const hub::Places places, hub_places(invocation));
    return token_from_browser(invocation, places);
  }
  std::string text = invocation.arguments.value_or("--token", "");
  if (text != "-") return text;
  TRY(const TimeLimit limit, time_limit(invocation.globals));
  return read_token_line(limit);
}

std::string handle_of(const hub::Account& account) {
  return account.handle ? "@" + printable_name(*account.handle) : "unknown user";
}

void put_account(JsonObject* json, const hub::Account& account) {
  json->text_or_null("handle", account.handle);
  if (account.name) json->text("displayName", *account.name);
}

Result<Answer> run_hub_login(const Invocation& invocation) {
  TRY(const std::string token, token_of(invocation));
  TRY(const hub::LoggedIn done, run_on_hub(invocation, hub::keep_token, token));
  JsonObject json;
  json.boolean("loggedIn", true);
  put_account(&json, done.account);
  json.text("registry", done.registry).text("configPath", done.config.string());
  return Answer{.json = json.str(), .text = "OK. Logged in as " + handle_of(done.account) + ".\n"};
}

Result<Answer> run_hub_logout(const Invocation& invocation) {
  TRY_VOID(hub_places(invocation));
  TRY_VOID(hub::forget_token());
  return Answer{.json = JsonObject().boolean("loggedOut", true).str(), .text = "OK. Logged out.\n"};
}

Result<Answer> run_hub_whoami(const Invocation& invocation) {
  TRY(const hub::Account account, run_on_hub(invocation, hub::who_am_i));
  JsonObject json;
  put_account(&json, account);
  return Answer{.json = json.str(),
                .text = printable_name(account.handle.value_or("unknown")) + "\n"};
}

Result<Answer> run_hub_publish(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.positionals().empty()) return fail(errc::usage, "hub publish needs a folder");
  TRY_VOID(check_path_length("the folder", arguments.positionals()[0]));
  const hub::PublishRequest request{.folder = expand_home(arguments.positionals()[0]),
                                    .slug = arguments.value_or("--slug", ""),
                                    .name = arguments.value_or("--name", ""),
                                    .version = arguments.value_or("--version", ""),
                                    .changelog = arguments.value_or("--changelog", ""),
                                    .tags = names_of_list(arguments.value_or("--tags", "latest")),
                                    .fork_of = arguments.value_or("--fork-of", "")};
  TRY(const hub::PublishReport done, run_on_hub(invocation, hub::publish_skill, request));
  JsonObject json;
  json.boolean("published", true).text("slug", done.slug).text("version", done.version);
  json.text("skillId", done.published.skill_id).text("versionId", done.published.version_id);
  json.number("files", static_cast<std::int64_t>(done.files)).text("registry", done.registry);
  return Answer{.json = json.str(),
                .text = "OK. Published " + done.slug + "@" + done.version + " (" +
                        printable_name(done.published.version_id) + ")\n"};
}

template <hub::Deletion wanted>
Result<Answer> run_deletion(const Invocation& invocation) {
  TRY(const hub::SkillName name, hub_skill_name(invocation));
  if (!invocation.arguments.has("--yes")) return fail(errc::usage, "Pass --yes (no input)");
  TRY_VOID(run_on_hub(invocation, hub::set_deletion, name, wanted));
  const std::string slug = name.text();
  constexpr bool kGone = wanted == hub::Deletion::deleted;
  JsonObject json;
  json.boolean(kGone ? "deleted" : "undeleted", true).text("slug", slug);
  return Answer{.json = json.str(),
                .text = std::string(kGone ? "OK. Deleted " : "OK. Undeleted ") + slug + "\n"};
}

}  // namespace

constinit const Command kHubLogin = host_command(
    "hub login", "[--token <text>|-] [--label <text>] [--no-browser]",
    "Log in at a hub, to publish skills",
    R"(Without --token the command opens the hub's page in the browser and waits, five minutes at most.
    The hub confirms the token's user. The token is kept in ~/.config/clawdhub/config.json, which only
    this user can read. It is sent only to the hub of the login.)",
    "hub login\n"
    "hub login --token - < token.txt\n",
    kHubLoginOptions, run_hub_login);

constinit const Command kHubLogout =
    host_command("hub logout", "", "Forget the token",
                 "Removes the token here. The hub gets no request, so the token stays valid there.",
                 "hub logout\n", kHubOptions, run_hub_logout);

constinit const Command kHubWhoami =
    host_command("hub whoami", "", "Print the hub's user for the token",
                 "HUB_NOT_LOGGED_IN without one.", "hub whoami\n", kHubOptions, run_hub_whoami);

constinit const Command kHubPublish = host_command(
    "hub publish",
    "<folder> --version <version> [--slug <slug>] [--name <text>] [--changelog <text>]",
    "Publish a folder as a version of a skill",
    "Only text files are sent. Hidden files, node_modules, links and the files that .gitignore\n"
    "or .clawhubignore name are left out. The folder is relative to the work folder, and needs a\n"
    "SKILL.md.",
    "hub publish ./my-skill --slug my-skill --name 'My Skill' --version 1.2.0 --changelog 'Docs'\n",
    kHubPublishOptions, run_hub_publish, 1);

constinit const Command kHubDelete = host_command(
    "hub delete", "<slug> --yes", "Remove your skill from the hub", "`hub undelete` restores it.",
    "hub delete my-skill --yes\n", kHubDeleteOptions, run_deletion<hub::Deletion::deleted>, 1);

constinit const Command kHubUndelete =
    host_command("hub undelete", "<slug> --yes", "Restore your removed skill",
                 "A newly published version restores it, too.", "hub undelete my-skill --yes\n",
                 kHubDeleteOptions, run_deletion<hub::Deletion::undone>, 1);

}  // namespace clawperator::cli
