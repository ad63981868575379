#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kWithoutClick =
    join(std::array{Option{"--direction", "", Arity::one, "<down|up|left|right>",
                           "default down; also as positional", "", OnMissing::command}},
         kSelectorOptions, kContainerOptions);

constexpr auto kOptions =
    join(kWithoutClick,
         std::array{Option{"--click", "", Arity::none, "", "click the node once it is there"}});

enum class Afterwards { nothing, click };

Result<std::string> read_direction(const Arguments& arguments) {
  const Given* given = arguments.find("--direction");
  if (given && given->missing_value) return validation_error("--direction requires a value");
  TRY(const auto direction,
      positional_or(arguments, "--direction",
                    "scroll-until: pass the direction as a positional argument or via --direction, "
                    "not both.\nUse `scroll-until down <selector>`."));
  if (!direction) return "down";
  if (!contains_word("down up left right", *direction)) {
    return fail(errc::missing_argument,
                "Invalid direction: " + *direction + ". Valid directions: down, up, left, right");
  }
  return *direction;
}

Result<Draft> draft(const Invocation& invocation, Afterwards afterwards) {
  const Arguments& arguments = invocation.arguments;
  TRY(const double timeout, finite_timeout_or(invocation.globals, 30000));
  TRY(const auto direction, read_direction(arguments));
  TRY(const auto matcher, require_matcher(arguments, SelectorFamily::node, "scroll-until"));
  TRY(const auto container, read_matcher(arguments, SelectorFamily::container));
  JsonObject params;
  params.text("direction", direction).json("matcher", matcher);
  if (container) params.json("container", *container);
  const bool click = afterwards == Afterwards::click;
  if (click) params.boolean("clickAfter", true);
  const std::string id = invocation.stamp.long_id("scroll-until");
  return Draft{single_action({id, id, "clawperator-cli", timeout, false}, "a1",
                             click ? "scroll_and_click" : "scroll_until", params.str()),
               std::nullopt};
}

}  // namespace

Result<Draft> draft_scroll_until(const Invocation& invocation) {
  return draft(invocation,
               invocation.arguments.has("--click") ? Afterwards::click : Afterwards::nothing);
}

Result<Draft> draft_scroll_and_click(const Invocation& invocation) {
  return draft(invocation, Afterwards::click);
}

constinit const Command kScrollUntil = {
    "scroll-until",
    "scroll_until",
    "[<down|up|left|right>] <selector> [container flags] [--click]",
    "Scroll until a node is there",
    "",
    "scroll-until down --text \"About phone\"\n"
    "scroll-until --text \"System\" --click\n",
    Reach::device,
    kOptions,
    run_drafted<draft_scroll_until>,
    {},
    1};

constinit const Command kScrollAndClick = {"scroll-and-click",
                                           "scroll_and_click",
                                           "[<down|up|left|right>] <selector> [container flags]",
                                           "Scroll until a node is there, then click it",
                                           "",
                                           "scroll-and-click --text \"About phone\"\n",
                                           Reach::device,
                                           kOptions,
                                           run_drafted<draft_scroll_and_click>,
                                           {},
                                           1};

}  // namespace clawperator::cli
