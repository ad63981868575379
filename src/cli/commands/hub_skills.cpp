// hub search, explore, update, list: skills of a hub and of a work folder

#include <algorithm>
#include <cstdio>

#include "base/error_members.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/utf8.hpp"
#include "cli/commands/hub.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "skills/hub/install.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/questions.hpp"

namespace clawperator::cli {
namespace {

constexpr int kMostListed = 200;  // the hub's own command takes 1 to 200
constexpr int kListed = 25;
constexpr std::size_t kShownSummary = 50;

constexpr auto kHubSearchOptions =
    join(std::array{Option{"--limit", "", Arity::one, "<n>", "the greatest number of results"}},
         kHubOptions);
constexpr auto kHubExploreOptions = join(
    std::array{Option{"--limit", "", Arity::one, "<n>",
                      "the greatest number of results, 1 to 200; default 25"},
               Option{"--sort", "", Arity::one, "<order>", "default newest", hub::kSortOrders}},
    kHubOptions);

Result<std::optional<int>> given_limit(const Arguments& arguments) {
  const std::string* text = arguments.value("--limit");
  if (text == nullptr) return std::nullopt;
  const auto limit = whole_number<int>(*text);
  if (limit && *limit > 0) return limit;
  return fail(errc::usage, "--limit must be a whole number from 1 on");
}

std::string hit_json(const hub::SearchHit& hit) {
  JsonObject json;
  json.text_or_null("slug", hit.slug).text_or_null("displayName", hit.name);
  if (hit.owner) json.text("ownerHandle", *hit.owner);
  json.text_or_null("summary", hit.summary).text_or_null("version", hit.version);
  json.real("score", hit.score);
  if (hit.updated_at) json.real("updatedAt", *hit.updated_at);
  return json.str();
}

std::string hit_line(const hub::SearchHit& hit) {
  const std::string slug = hit.slug.value_or("unknown");
  const std::string owner = hit.owner ? "@" + *hit.owner + "/" : "";
  std::array<char, 400> score{};
  std::snprintf(score.data(), score.size(), "%.3f", hit.score);
  return printable_name(owner + slug + (hit.version ? " v" + *hit.version : "") + "  " +
                        hit.name.value_or(slug) + "  (" + score.data() + ")") +
         "\n";
}

Result<Answer> run_hub_search(const Invocation& invocation) {
  std::string query;
  for (const std::string& word : invocation.arguments.positionals()) {
    query += (query.empty() ? "" : " ") + word;
  }
  if (is_blank(query)) return fail(errc::usage, "hub search requires search words");
  TRY(const auto limit, given_limit(invocation.arguments));
  TRY(const auto hits,
      run_on_hub(invocation, hub::search_skills, std::string(trim_js(query)), limit));
  return hub_list("results", hits, hit_json, hit_line, "No skills found.\n");
}

std::string item_json(const hub::ListedSkill& skill) {
  JsonObject json;
  json.text("slug", skill.slug).text("displayName", skill.name);
  json.text_or_null("summary", skill.summary).text_or_null("version", skill.version);
  return json.real("updatedAt", skill.updated_at).json("stats", skill.stats).str();
}

std::string age_of(double updated_at) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const double elapsed = std::chrono::duration<double, std::milli>(now).count() - updated_at;
  const double minutes = std::clamp(elapsed / 60'000, 0.0, 1e9);
  const auto text = [](double count, const char* unit) {
    return std::to_string(static_cast<long>(count)) + unit + " ago";
  };
  if (minutes >= 31 * 1440) return text(minutes / (30 * 1440), "mo");
  if (minutes >= 1440) return text(minutes / 1440, "d");
  if (minutes >= 60) return text(minutes / 60, "h");
  return minutes >= 1 ? text(minutes, "m") : "just now";
}

std::string shortened(const std::string& summary) {
  std::string text = valid_utf8(summary);
  std::size_t end = 0;
  for (std::size_t shown = 0; end < text.size(); ++shown) {
    if (shown == kShownSummary - 1 && utf16_length(text.substr(end)) > 1) {
      return text.substr(0, end) + "…";
    }
    end += sequence_length(std::string_view(text).substr(end));
  }
  return text;
}

std::string item_line(const hub::ListedSkill& skill) {
  return printable_name(skill.slug + "  v" + skill.version.value_or("?") + "  " +
                        age_of(skill.updated_at) +
                        (skill.summary ? "  " + shortened(*skill.summary) : "")) +
         "\n";
}

Result<Answer> run_hub_explore(const Invocation& invocation) {
  TRY(const auto given, given_limit(invocation.arguments));
  const int limit = std::min(given.value_or(kListed), kMostListed);
  const std::string sort = invocation.arguments.value_or("--sort", "newest");
  TRY(const auto skills, run_on_hub(invocation, hub::explore_skills, limit, sort));
  return hub_list("items", skills, item_json, item_line, "No skills found.\n");
}

constexpr auto kHubUpdateOptions =
    join(std::array{Option{"--all", "", Arity::none, "", "update every skill of the lock file"},
                    kHubVersionOption, kHubForceOption},
         kHubOptions);

std::string_view name_of(hub::UpdateStatus status) {
  constexpr std::string_view kNames[] = {"updated", "up_to_date", "pinned", "failed"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string update_json(const hub::Update& update) {
  JsonObject json;
  json.text("slug", update.slug).text("status", name_of(update.status));
  if (!update.version.empty()) json.text("version", update.version);
  if (update.previous) json.text("previousVersion", *update.previous);
  if (!update.path.empty()) json.text("path", update.path.string());
  if (!update.kept.empty()) json.text("kept", update.kept.string());
  put_moderation(&json, update.moderation);
  if (!update.warning.empty()) json.text("warning", update.warning);
  if (update.error) {
    JsonObject error;
    error.text("code", update.error->code()->published);
    json.object("error", error.text("message", update.error->message()));
  }
  return json.str();
}

std::string update_line(const hub::Update& update) {
  if (update.error) {
    return printable_name(update.slug) + ": " + std::string(update.error->code()->published) +
           ": " + printable(update.error->message()) + "\n";
  }
  const std::string version = printable_name(update.version);
  switch (update.status) {
    case hub::UpdateStatus::updated:
      return update.slug + ": updated -> " + version + "\n" + kept_line(update.kept) +
             moderation_line(update.moderation) + warning_line(update.warning);
    case hub::UpdateStatus::pinned: return update.slug + ": pinned (" + version + ")\n";
    default: return update.slug + ": up to date (" + version + ")\n";
  }
}

Result<hub::InstallRequest> read_update_request(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  const bool all = arguments.has("--all");
  const bool has_slug = !arguments.positionals().empty();
  if (!all && !has_slug) return fail(errc::usage, "Provide <slug> or --all");
  if (all && has_slug) return fail(errc::usage, "Use either <slug> or --all");
  hub::InstallRequest request{{}, arguments.value_or("--version", ""), given_force(arguments)};
  if (has_slug) {
    TRY(request.name, hub_skill_name(invocation));
  }
  if (request.version.empty()) return request;
  if (all) return fail(errc::usage, "--version requires a single <slug>");
  if (hub::is_version(request.version)) return request;
  return fail(errc::usage, "--version must be valid semver");
}

Result<Answer> run_hub_update(const Invocation& invocation) {
  TRY(const hub::InstallRequest request, read_update_request(invocation));
  TRY(const auto updates, run_on_hub(invocation, hub::update_skills, request));
  Answer answer = hub_list("updates", updates, update_json, update_line, "No installed skills.\n");
  const auto has_failed = [](const hub::Update& update) { return update.error.has_value(); };
  answer.exit_code = std::ranges::any_of(updates, has_failed) ? 1 : 0;
  return answer;
}

Result<Answer> run_hub_list(const Invocation& invocation) {
  TRY(const hub::Places places, hub_places(invocation));
  TRY(const auto skills, hub::list_skills(places));
  const auto item_json = [&places](const hub::LockedSkill& skill) {
    JsonObject item;
    item.text("slug", skill.slug).text_or_null("version", skill.version);
    item.real("installedAt", skill.installed_at);
    const auto name = hub::checked_name(skill.slug);
    if (name && name->text() == skill.slug)
      item.text("path", (places.skills / skill.slug).string());
    if (skill.pinned) item.boolean("pinned", true);
    return item;
  };
  const auto item_line = [](const hub::LockedSkill& skill) {
    return printable_name(skill.slug) + "  " + printable_name(skill.version.value_or("latest")) +
           (skill.pinned ? "  pinned" : "") + "\n";
  };
  return hub_list("skills", skills, item_json, item_line, "No installed skills.\n",
                  JsonObject().text("lockPath", (places.lock_folder / "lock.json").string()));
}

}  // namespace

constinit const Command kHubSearch =
    host_command("hub search", "<words> [--limit <n>]", "Search a hub's skills by topic",
                 "The best matches come first.", "hub search postgres backups\n", kHubSearchOptions,
                 run_hub_search, kAnyWords);

constinit const Command kHubExplore = host_command(
    "hub explore", "[--limit <n>] [--sort <order>]", "List a hub's skills, the newest first",
    "Orders are newest, downloads, rating, installs, installsAllTime and trending.",
    "hub explore --sort downloads --limit 10\n", kHubExploreOptions, run_hub_explore);

constinit const Command kHubUpdate =
    host_command("hub update", "<slug>|--all [--version <version>] [--force]",
                 "Bring installed skills to their latest version",
                 "The fingerprint of the files identifies the installed version. Files that match "
                 "no version are\n"
                 "HUB_LOCAL_CHANGES and stay; with --force they are kept in skills/.hub-replaced. "
                 "With --all a skill\n"
                 "that fails does not stop the others; the exit code is then 1.",
                 "hub update my-skill\n"
                 "hub update --all --force\n",
                 kHubUpdateOptions, run_hub_update, 1);

constinit const Command kHubList = host_command(
    "hub list", "", "List the installed skills", "Reads the lock file of the work folder.",
    "hub list --output pretty\n", kHubOptions, run_hub_list);

}  // namespace clawperator::cli
