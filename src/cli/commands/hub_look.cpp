// hub search, explore: what a hub has

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "base/number.hpp"
#include "base/utf8.hpp"
#include "cli/commands/hub.hpp"
#include "cli/pretty/people.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"
#include "skills/hub/questions.hpp"

namespace clawperator::cli {
namespace {

constexpr int kMostListed = 200;
constexpr int kListed = 25;
constexpr std::size_t kShownSummary = 50;

constexpr auto kHubSearchOptions =
    join(std::array{Option{"--limit", "", Arity::one, "<n>", "how many at most"}}, kHubOptions);
constexpr auto kHubExploreOptions = join(
    std::array{Option{"--limit", "", Arity::one, "<n>", "how many at most, 1 to 200; default 25"},
               Option{"--sort", "", Arity::one, "<order>", "default newest", hub::kSortOrders}},
    kHubOptions);

Result<std::optional<int>> given_limit(const Arguments& arguments) {
  const std::string* text = arguments.value("--limit");
  if (text == nullptr) return std::nullopt;
  const auto limit = whole_number<int>(*text);
  if (limit && *limit > 0) return limit;
  return fail(errc::usage, "--limit must be a whole number from 1 on");
}

void put_text(JsonObject* json, std::string_view name, const std::optional<std::string>& text) {
  text ? json->text(name, *text) : json->null(name);
}

std::string hit_json(const hub::SearchHit& hit) {
  JsonObject json;
  put_text(&json, "slug", hit.slug);
  put_text(&json, "displayName", hit.name);
  put_text(&json, "summary", hit.summary);
  put_text(&json, "version", hit.version);
  json.real("score", hit.score);
  if (hit.updated_at) json.real("updatedAt", *hit.updated_at);
  return json.str();
}

std::string hit_line(const hub::SearchHit& hit) {
  const std::string slug = hit.slug.value_or("unknown");
  std::array<char, 400> score{};
  std::snprintf(score.data(), score.size(), "%.3f", hit.score);
  return printable_name(slug + (hit.version ? " v" + *hit.version : "") + "  " +
                        hit.name.value_or(slug) + "  (" + score.data() + ")") +
         "\n";
}

Result<Answer> run_hub_search(const Invocation& invocation) {
  std::string query;
  for (const std::string& word : invocation.arguments.positionals()) {
    query += (query.empty() ? "" : " ") + word;
  }
  if (is_blank(query)) return fail(errc::usage, "hub search needs words to look for");
  TRY(const auto limit, given_limit(invocation.arguments));
  TRY(const auto hits,
      ask_hub(invocation, [query, limit](const hub::Places& places, const std::stop_token& stop) {
        return hub::search_skills(places, std::string(trim_js(query)), limit, stop);
      }));
  std::string items;
  std::string lines;
  for (const hub::SearchHit& hit : hits) {
    items += (items.empty() ? "" : ",") + hit_json(hit);
    lines += hit_line(hit);
  }
  JsonObject json;
  json.json("results", "[" + items + "]");
  json.number("count", static_cast<std::int64_t>(hits.size()));
  return hub_answer(invocation, json.str(), lines.empty() ? "No skills found.\n" : lines);
}

std::string item_json(const hub::ListedSkill& skill) {
  JsonObject json;
  json.text("slug", skill.slug).text("displayName", skill.name);
  put_text(&json, "summary", skill.summary);
  put_text(&json, "version", skill.version);
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
  const std::string* order = invocation.arguments.value("--sort");
  const std::string sort = order != nullptr ? *order : "newest";
  TRY(const auto skills,
      ask_hub(invocation, [limit, sort](const hub::Places& places, const std::stop_token& stop) {
        return hub::explore_skills(places, limit, sort, stop);
      }));
  std::string items;
  std::string lines;
  for (const hub::ListedSkill& skill : skills) {
    items += (items.empty() ? "" : ",") + item_json(skill);
    lines += item_line(skill);
  }
  JsonObject json;
  json.json("items", "[" + items + "]");
  json.number("count", static_cast<std::int64_t>(skills.size()));
  return hub_answer(invocation, json.str(), lines.empty() ? "No skills found.\n" : lines);
}

}  // namespace

constinit const Command kHubSearch = {"hub search",
                                      "",
                                      "<words> [--limit <n>]",
                                      "Search a hub's skills by what they are about",
                                      "The best come first.",
                                      "hub search postgres backups\n",
                                      Reach::host,
                                      kHubSearchOptions,
                                      run_hub_search,
                                      {},
                                      kAnyWords};

constinit const Command kHubExplore = {"hub explore",
                                       "",
                                       "[--limit <n>] [--sort <order>]",
                                       "List a hub's skills, the newest first",
                                       "Orders are newest, downloads, rating, installs,\n"
                                       "installsAllTime and trending.",
                                       "hub explore --sort downloads --limit 10\n",
                                       Reach::host,
                                       kHubExploreOptions,
                                       run_hub_explore};

}  // namespace clawperator::cli
