// One look at the screen, and whether a node is on it: for scripts and for agents that prove what
// they did.

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/selector.hpp"
#include "cli/settings.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/ui/describe.hpp"
#include "runtime/ui/find.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kShownNodes = 5;

constexpr auto kAssertOptions =
    join(kSelectorOptions, std::array{
                               Option{"--gone", "", Arity::none, "", "that no node is like that"},
                           });

// The lines of a compact tree, of the first few; a node without a ref has none.
std::vector<std::string> lines_of(const UiTree& screen, const std::vector<std::size_t>& nodes) {
  std::vector<std::string> lines;
  for (const std::size_t i : nodes) {
    if (lines.size() == kShownNodes) break;
    if (screen.nodes[i].ref != 0) lines.push_back(screen.hash + describe(screen.nodes[i]));
  }
  return lines;
}

Result<Answer> run_assert(const Invocation& given) {
  const Invocation invocation = with_whole_names(given);
  const Arguments& arguments = invocation.arguments;
  TRY(const auto selector, require_selector(arguments, SelectorFamily::node, "assert"));
  const NodeMatcher wanted = act::wanted_node(act::WaitForNode{selector, std::nullopt});
  if (wanted == NodeMatcher{}) {
    return fail(errc::usage, "assert needs a node that is named by its text, id, desc or role");
  }
  TRY(const Look seen, take_look(invocation));
  const UiTree& screen = seen.screen;
  const auto found = matching_nodes(screen, wanted);
  const bool holds = found.empty() == arguments.has("--gone");
  JsonObject json;
  json.boolean("ok", holds).number("matches", static_cast<std::int64_t>(found.size()));
  if (!found.empty()) json.strings("nodes", lines_of(screen, found));
  if (!holds && found.empty()) json.object("miss", act::tell_miss(screen, wanted));
  seen.tell_how(invocation.globals, json);
  return Answer{json.str(), {}, {}, holds ? 0 : 1};
}

}  // namespace

constinit const Command kAssert = {
    "assert",
    "",
    "<selector> [--gone]",
    "Look whether a node is on the screen",
    "Exit 1 if it is not. One look, no waiting (`wait` waits). The answer has `matches`, up to "
    "five `nodes` with their\n"
    "refs, and for a node that is not there what is nearly it. --gone: exit 1 if it is there.",
    "assert --text \"Wi-Fi\"\n"
    "assert --text \"Error\" --gone\n",
    Reach::device,
    kAssertOptions,
    run_assert};

}  // namespace clawperator::cli
