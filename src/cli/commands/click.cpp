#include <charconv>

#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kClickOptions =
    join(kSelectorOptions, kRefOption, kNthOption, kTriesOption, kAfterwardsOptions, kVerifyOptions,
         std::array{
             Option{"--coordinate", "", Arity::two, "<x> <y>",
                    "screen pixels instead of a selector", "", OnMissing::command},
             Option{"--long", "", Arity::none, "", "press long"},
             Option{"--focus", "", Arity::none, "", "move the input focus instead of clicking"},
         });

std::optional<int> pixel_of(const std::string& text) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.starts_with('-') || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

Result<std::optional<Point>> read_coordinate(const Arguments& arguments) {
  const Given* given = arguments.find("--coordinate");
  if (!given) return std::nullopt;
  if (arguments.repeated("--coordinate")) {
    return validation_error("--coordinate must not appear more than once");
  }
  const auto& pair = given->values;
  const auto x = pair.size() == 2 ? pixel_of(pair[0]) : std::nullopt;
  const auto y = pair.size() == 2 ? pixel_of(pair[1]) : std::nullopt;
  if (!x || !y) return validation_error("--coordinate requires two non-negative integers (x y)");
  return Point{*x, *y};
}

// nullopt when nothing says where.
Result<std::optional<act::Place>> read_place(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(auto place, read_ref(invocation, SelectorFamily::node));
  if (place) return place;
  TRY(const auto point, read_coordinate(arguments));
  TRY(const auto selector, read_selector(arguments, SelectorFamily::node));
  if (point && selector) return validation_error("use --coordinate OR a selector, not both");
  if (point) place = act::Place{*point};
  if (selector) place = act::Place{*selector};
  return place;
}

Result<act::ClickKind> read_kind(const Arguments& arguments, bool at_point) {
  if (arguments.has("--long") && arguments.has("--focus")) {
    return validation_error("--long and --focus are mutually exclusive.\nUse one of them.");
  }
  if (at_point && arguments.has("--focus")) {
    return validation_error("--focus is not supported with --coordinate");
  }
  if (arguments.has("--focus")) return act::ClickKind::focus;
  return arguments.has("--long") ? act::ClickKind::long_press : act::ClickKind::tap;
}

// A ref's point counts only on the screen that it is of.
Result<Answer> run_click(const Invocation& given) {
  const Invocation invocation = with_whole_names(given);
  TRY(auto click, ask_click(invocation));
  const bool looks = !click.place.tree_hash.empty() || invocation.arguments.has("--nth");
  if (looks) TRY_VOID(execution_for(invocation, click));  // a plan that cannot run costs no look
  if (!click.place.tree_hash.empty()) TRY_VOID(check_ref_is_fresh(invocation, click.place));
  TRY(auto nth, look_for_nth(invocation, std::get_if<act::Selector>(&click.place.at)));
  if (!nth) return run_action(invocation, click);
  click.place = std::move(nth->place);
  JsonObject told;
  nth->matches.tell(told);
  return run_action(invocation, click, told);
}

}  // namespace

Result<act::Click> ask_click(const Invocation& invocation) {
  TRY(const auto place, read_place(invocation));
  const bool at_point = place && std::holds_alternative<Point>(place->at);
  TRY(const auto kind, read_kind(invocation.arguments, at_point));
  if (!place) return std::unexpected(missing_selector("click", SelectorFamily::node));
  TRY(const auto tries, read_tries(invocation.arguments));
  return act::Click{*place, kind, tries};
}

constinit const Command kClick = {
    "click",
    "tap",
    "<selector> | --coordinate <x> <y> | --ref <hash@n> [--long | --focus]",
    "Click a node or a point",
    "",
    "click --text \"Wi-Fi\"\n"
    "click --id com.android.settings:id/search_action_bar --long\n"
    "click --coordinate 540 1200\n"
    "click --ref @3\n"
    "click --text Delete --nth 2\n"
    "click --text Submit --tries 1 --output brief\n"
    "click --selector '{\"textContains\":\"Wi\",\"role\":\"switch\"}'\n",
    Reach::device,
    kClickOptions,
    run_click};

}  // namespace clawperator::cli
