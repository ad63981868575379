#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/grammar/errc.hpp"
#include "cli/screen_options.hpp"
#include "cli/selector.hpp"
#include "cli/settings.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kScrollOptions =
    join(std::array{Option{"--direction", "", Arity::one, "<down|up|left|right>",
                           "the direction, instead of the positional", "", OnMissing::command}},
         kContainerOptions, kActingOptions);

constexpr auto kWithoutClick =
    join(std::array{Option{"--direction", "", Arity::one, "<down|up|left|right>",
                           "the direction, instead of the positional; default down", "",
                           OnMissing::command}},
         kSelectorOptions, kContainerOptions, kStrictOption, kActingOptions);

constexpr auto kScrollUntilOptions = join(
    kWithoutClick,
    std::array{Option{"--click", "", Arity::none, "", "click the node when it is on the screen"}});

Result<std::string> read_direction(const Arguments& arguments) {
  const Given* given = arguments.find("--direction");
  if (given && given->missing_value) return validation_error("--direction requires a value");
  TRY(const auto direction,
      positional_or(arguments, "--direction",
                    "scroll-until: pass the direction as a positional argument or via --direction, "
                    "not both.\nUse `scroll-until down <selector>`."));
  if (!direction) return "down";
  if (!is_one_of(*direction, "down up left right")) {
    return fail(errc::missing_argument,
                "Invalid direction: " + *direction + ". Valid directions: down, up, left, right");
  }
  return *direction;
}

Action and_click(const ScrollUntil& scroll) {
  ScrollAndClick click{scroll};
  click.click_after = true;
  return click;
}

}  // namespace

Result<Scroll> scroll_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  TRY(const auto direction, positional_or(arguments, "--direction",
                                          "scroll: pass the direction as a positional argument or "
                                          "via --direction, not both.\nUse `scroll down`."));
  if (!direction || !is_one_of(*direction, "down up left right")) {
    return missing_argument("scroll requires a direction.\nValid directions: down, up, left, right",
                            "scroll <down|up|left|right>");
  }
  TRY(const auto container, read_selector(arguments, SelectorFamily::container));
  return Scroll{.container = container, .direction = direction};
}

constinit const Command kScroll = {
    .name = "scroll",
    .usage = "<down|up|left|right> [container flags]",
    .summary = "Scroll once",
    .examples = "scroll down\nscroll up --container-id com.android.settings:id/recycler_view\n",
    .options = kScrollOptions,
    .run = run_verb<scroll_from>,
    .most_words = 1};

Result<Action> scroll_until_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  TRY(const auto direction, read_direction(arguments));
  TRY(const auto node, require_selector(arguments, SelectorFamily::node, "scroll-until"));
  TRY(const auto container, read_selector(arguments, SelectorFamily::container));
  TRY(const auto strict, read_strict(arguments));
  ScrollUntil scroll;
  scroll.direction = direction;
  scroll.matcher = node;
  scroll.container = container;
  scroll.strict = strict;
  if (arguments.has("--click")) return and_click(scroll);
  return scroll;
}

Result<Action> scroll_and_click_from(const Invocation& invocation) {
  TRY(const Action scroll, scroll_until_from(invocation));
  const auto* until = scroll.as<ScrollUntil>();
  return until ? and_click(*until) : scroll;
}

constinit const Command kScrollUntil = {
    .name = "scroll-until",
    .synonyms = "scroll_until",
    .usage = "[<down|up|left|right>] <selector> [container flags] [--click]",
    .summary = "Scroll until a node is on the screen",
    .examples =
        "scroll-until down --text \"About phone\"\n"
        "scroll-until --text \"System\" --click\n",
    .options = kScrollUntilOptions,
    .run = run_verb<scroll_until_from>,
    .most_words = 1};

constinit const Command kScrollAndClick = {
    .name = "scroll-and-click",
    .synonyms = "scroll_and_click",
    .usage = "[<down|up|left|right>] <selector> [container flags]",
    .summary = "Scroll until a node is on the screen, then click it",
    .examples = "scroll-and-click --text \"About phone\"\n",
    .options = kScrollUntilOptions,
    .run = run_verb<scroll_and_click_from>,
    .most_words = 1};

}  // namespace clawperator::cli
