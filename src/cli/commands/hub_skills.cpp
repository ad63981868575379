// hub install, update, list: the skills of a work folder

#include "cli/commands/hub.hpp"
#include "cli/pretty/people.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/error_members.hpp"
#include "skills/hub/install.hpp"
#include "skills/hub/names.hpp"

namespace clawperator::cli {
namespace {

constexpr Option kVersionOption{"--version", "", Arity::one, "<version>", "default: the latest"};
constexpr Option kForceOption{"--force", "", Arity::none, "",
                              "take the place of what is there; the user's own work is kept aside"};
constexpr auto kHubInstallOptions = join(std::array{kVersionOption, kForceOption}, kHubOptions);
constexpr auto kHubUpdateOptions =
    join(std::array{Option{"--all", "", Arity::none, "", "every skill of the lock file"},
                    kVersionOption, kForceOption},
         kHubOptions);

hub::Force given_force(const Arguments& arguments) {
  return arguments.has("--force") ? hub::Force::yes : hub::Force::no;
}

std::string kept_line(const std::filesystem::path& kept) {
  return kept.empty() ? "" : "  what was there is kept in " + printable_name(kept) + "\n";
}

Result<Answer> run_hub_install(const Invocation& invocation) {
  TRY(const std::string slug, hub_slug(invocation));
  const hub::InstallRequest request{slug, given_text(invocation.arguments, "--version"),
                                    given_force(invocation.arguments)};
  TRY(const hub::Installed done,
      ask_hub(invocation, [request](const hub::Places& places, const std::stop_token& stop) {
        return hub::install_skill(places, request, stop);
      }));
  JsonObject json;
  json.boolean("installed", true).text("slug", done.slug).text("version", done.version);
  json.text("path", done.path.string()).text("registry", done.registry);
  if (!done.kept.empty()) json.text("kept", done.kept.string());
  return hub_answer(invocation, json.str(),
                    "OK. Installed " + done.slug + " -> " + printable_name(done.path) + "\n" +
                        kept_line(done.kept));
}

std::string_view name_of(hub::UpdateStatus status) {
  switch (status) {
    case hub::UpdateStatus::updated: return "updated";
    case hub::UpdateStatus::up_to_date: return "up_to_date";
    case hub::UpdateStatus::pinned: return "pinned";
    case hub::UpdateStatus::skipped: return "skipped";
    case hub::UpdateStatus::failed: break;
  }
  return "failed";
}

std::string update_json(const hub::Update& update) {
  JsonObject json;
  json.text("slug", update.slug).text("status", name_of(update.status));
  if (!update.version.empty()) json.text("version", update.version);
  if (update.previous) json.text("previousVersion", *update.previous);
  if (!update.path.empty()) json.text("path", update.path.string());
  if (!update.kept.empty()) json.text("kept", update.kept.string());
  if (update.error) {
    JsonObject error;
    error.text("code", error_row(update.error->code()).published);
    json.object("error", error.text("message", update.error->message()));
  }
  return json.str();
}

std::string update_line(const hub::Update& update) {
  if (update.error) {
    return printable_name(update.slug) + ": " +
           std::string(error_row(update.error->code()).published) + ": " +
           printable(update.error->message()) + "\n";
  }
  const std::string version = printable_name(update.version);
  switch (update.status) {
    case hub::UpdateStatus::updated:
      return update.slug + ": updated -> " + version + "\n" + kept_line(update.kept);
    case hub::UpdateStatus::pinned: return update.slug + ": pinned (" + version + ")\n";
    case hub::UpdateStatus::skipped:
      return printable_name(update.slug) + ": skipped, it is another client's\n";
    default: return update.slug + ": up to date (" + version + ")\n";
  }
}

Result<hub::InstallRequest> read_update_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool all = arguments.has("--all");
  const bool has_slug = !arguments.positionals().empty();
  if (!all && !has_slug) return fail(errc::usage, "Provide <slug> or --all");
  if (all && has_slug) return fail(errc::usage, "Use either <slug> or --all");
  hub::InstallRequest request{{}, given_text(arguments, "--version"), given_force(arguments)};
  if (has_slug) {
    TRY(request.slug, hub_slug(invocation));
  }
  if (request.version.empty()) return request;
  if (all) return fail(errc::usage, "--version requires a single <slug>");
  if (hub::is_version(request.version)) return request;
  return fail(errc::usage, "--version must be valid semver");
}

Result<Answer> run_hub_update(const Invocation& invocation) {
  TRY(const hub::InstallRequest request, read_update_request(invocation));
  TRY(const auto updates,
      ask_hub(invocation, [request](const hub::Places& places, const std::stop_token& stop) {
        return hub::update_skills(places, request, stop);
      }));
  std::string items;
  std::string lines;
  bool has_failed = false;
  for (const hub::Update& update : updates) {
    items += (items.empty() ? "" : ",") + update_json(update);
    lines += update_line(update);
    has_failed = has_failed || update.error.has_value();
  }
  JsonObject json;
  json.json("updates", "[" + items + "]");
  json.number("count", static_cast<std::int64_t>(updates.size()));
  Answer answer =
      hub_answer(invocation, json.str(), lines.empty() ? "No installed skills.\n" : lines);
  answer.exit_code = has_failed ? 1 : 0;
  return answer;
}

Result<Answer> run_hub_list(const Invocation& invocation) {
  TRY(const hub::Places places, hub_places(invocation));
  TRY(const auto skills, hub::list_skills(places));
  std::string items;
  std::string lines;
  for (const hub::LockedSkill& skill : skills) {
    JsonObject item;
    item.text("slug", skill.slug);
    skill.version ? item.text("version", *skill.version) : item.null("version");
    item.real("installedAt", skill.installed_at);
    if (hub::is_slug(skill.slug)) item.text("path", (places.skills / skill.slug).string());
    if (skill.pinned) item.boolean("pinned", true);
    items += (items.empty() ? "" : ",") + item.str();
    lines += printable_name(skill.slug) + "  " + printable_name(skill.version.value_or("latest")) +
             (skill.pinned ? "  pinned" : "") + "\n";
  }
  JsonObject json;
  json.json("skills", "[" + items + "]");
  json.number("count", static_cast<std::int64_t>(skills.size()));
  json.text("lockPath", (places.lock_folder / "lock.json").string());
  return hub_answer(invocation, json.str(), lines.empty() ? "No installed skills.\n" : lines);
}

}  // namespace

constinit const Command kHubInstall = {"hub install",
                                       "",
                                       "<slug> [--version <version>] [--force]",
                                       "Install a skill into the work folder",
                                       "The skill is unpacked beside its place and gets there by "
                                       "one rename. A folder of that name is\n"
                                       "HUB_LOCAL_CHANGES; with --force it is replaced, and kept "
                                       "in skills/.hub-replaced unless it is\n"
                                       "just what this hub gave.",
                                       "hub install my-skill\n"
                                       "hub install my-skill --version 1.2.3 --workdir ~/work\n",
                                       Reach::host,
                                       kHubInstallOptions,
                                       run_hub_install,
                                       {},
                                       1};

constinit const Command kHubUpdate = {
    "hub update",
    "",
    "<slug>|--all [--version <version>] [--force]",
    "Bring installed skills to their latest version",
    "The files' fingerprint tells which version is there. One that is no version's is\n"
    "HUB_LOCAL_CHANGES and stays; with --force it is kept in skills/.hub-replaced. With --all one\n"
    "skill that fails keeps no other from being updated; the exit code is then 1.",
    "hub update my-skill\n"
    "hub update --all --force\n",
    Reach::host,
    kHubUpdateOptions,
    run_hub_update,
    {},
    1};

constinit const Command kHubList = {"hub list",
                                    "",
                                    "",
                                    "List the installed skills",
                                    "As the lock file of the work folder has them.",
                                    "hub list --output pretty\n",
                                    Reach::host,
                                    kHubOptions,
                                    run_hub_list};

}  // namespace clawperator::cli
