#pragma once
// The subcommands of `hub`, and what they share.

#include <array>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "cli/grammar/command.hpp"
#include "skills/hub/places.hpp"

namespace clawperator::cli {

extern const Command kHubSearch;
extern const Command kHubExplore;
extern const Command kHubInstall;
extern const Command kHubUpdate;
extern const Command kHubList;
extern const Command kHubPublish;
extern const Command kHubDelete;
extern const Command kHubUndelete;
extern const Command kHubLogin;
extern const Command kHubLogout;
extern const Command kHubWhoami;

// Of every subcommand; they may stand before its name, too.
inline constexpr std::array kHubOptions{
    Option{"--registry", "", Arity::one, "<url>", "the hub; default: what its site says"},
    Option{"--workdir", "", Arity::one, "<folder>", "where the skills and the lock file belong"},
    Option{"--dir", "", Arity::one, "<folder>", "the folder of skills in it; default skills"},
    Option{"--site", "", Arity::one, "<url>", "the hub's pages; default https://clawdhub.com"},
    Option{"--names", "", Arity::one, "<clawdhub|clawhub>",
           "how new folders are called, and which site is meant; default clawdhub",
           "clawdhub clawhub"},
    Option{"--no-input", "", Arity::none, "", "accepted for old scripts: nothing is ever asked"},
};

// Empty where it is not given.
std::string given_text(const Arguments& arguments, std::string_view name);

Result<hub::Places> hub_places(const Invocation& invocation);

// `work(places, stop)`, beside the event loop; --timeout is for all of it.
Result<void> do_with_hub(
    const Invocation& invocation,
    const std::function<Result<void>(const hub::Places&, const std::stop_token&)>& work);

// The same, for what `work` comes to.
template <class Work>
auto ask_hub(const Invocation& invocation, Work work)
    -> std::invoke_result_t<Work, const hub::Places&, const std::stop_token&> {
  std::optional<std::invoke_result_t<Work, const hub::Places&, const std::stop_token&>> found;
  TRY_VOID(do_with_hub(invocation,
                       [&found, &work](const hub::Places& places, const std::stop_token& stop) {
                         found.emplace(work(places, stop));
                         return *found ? ok() : Result<void>(std::unexpected(found->error()));
                       }));
  return *std::move(found);
}

// The first word as a skill's slug; USAGE where it is none, or not there.
Result<std::string> hub_slug(const Invocation& invocation);

// What is told to people stands in `text`, to programs in `json`.
Answer hub_answer(const Invocation& invocation, std::string json, std::string text);

}  // namespace clawperator::cli
