#pragma once
// Shared by the subcommands of `hub`.

#include <stop_token>
#include <type_traits>

#include "base/async/run_stoppable.hpp"
#include "base/json_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/limited_task.hpp"
#include "skills/hub/install.hpp"
#include "skills/hub/names.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::cli {

// Options of every subcommand; they may stand before its name, too.
inline constexpr std::array kHubOptions{
    Option{"--registry", "", Arity::one, "<url>",
           "the hub's API; default: the address that its site names"},
    Option{"--workdir", "", Arity::one, "<folder>",
           "the folder of the skills folder and the lock file"},
    Option{"--dir", "", Arity::one, "<folder>", "the skills folder inside it; default skills"},
    Option{"--site", "", Arity::one, "<url>", "the hub's website; default https://clawdhub.com"},
    Option{"--names", "", Arity::one, "<clawdhub|clawhub>",
           "the name for new folders and for the site; default clawdhub", "clawdhub clawhub"},
    Option{"--no-input", "", Arity::none, "", "accepted for old scripts; the command never asks"},
};

inline constexpr Option kHubVersionOption{"--version", "", Arity::one, "<version>",
                                          "default: the latest"};
inline constexpr Option kHubForceOption{
    "--force", "", Arity::none, "",
    "replace the present files (your own changes are kept aside), and install\n"
    "skills that the hub marks as suspicious"};

Result<hub::Places> hub_places(const Invocation& invocation);

// Runs `work(places, given..., stop)` beside the event loop; --timeout is for all of it.
template <class Work, class... Given>
auto run_on_hub(const Invocation& invocation, Work work, const Given&... given)
    -> std::invoke_result_t<Work, const hub::Places&, const Given&..., const std::stop_token&> {
  TRY(const hub::Places places, hub_places(invocation));
  return run_limited(invocation.globals, run_stoppable([&](const std::stop_token& stop) {
                       return work(places, given..., stop);
                     }),
                     "the hub");
}

// The first word as a skill's slug or @owner/slug; USAGE if it is missing or neither.
Result<hub::SkillName> hub_skill_name(const Invocation& invocation);

// {NAME:[...],"count":n} and `more`; for people a line each, or `none` if there are none.
template <class Range, class ToJson, class ToLine>
Answer hub_list(std::string_view name, const Range& range, ToJson to_json, ToLine to_line,
                std::string_view none, const JsonObject& more = {}) {
  JsonObject json;
  json.json(name, list_json(range, to_json));
  json.number("count", static_cast<std::int64_t>(range.size())).append(more);
  std::string lines;
  for (const auto& each : range) lines += to_line(each);
  return Answer{.json = json.str(), .text = lines.empty() ? std::string(none) : lines};
}

hub::Force given_force(const Arguments& arguments);
// What a line for people says beside the skill; empty where there is nothing to say.
std::string kept_line(const std::filesystem::path& kept);
std::string moderation_line(hub::Moderation moderation);
std::string warning_line(const std::string& warning);
void put_moderation(JsonObject* json, hub::Moderation moderation);

}  // namespace clawperator::cli
