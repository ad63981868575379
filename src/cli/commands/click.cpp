#include <charconv>

#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/drafts.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kOptions =
    join(kSelectorOptions, kRefOption,
         std::array{
             Option{"--coordinate", "", Arity::two, "<x> <y>",
                    "screen pixels instead of a selector", "", OnMissing::command},
             Option{"--long", "", Arity::none, "", "press long"},
             Option{"--focus", "", Arity::none, "", "move the input focus instead of clicking"},
         });

std::optional<std::int32_t> pixel_of(const std::string& text) {
  std::int32_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.starts_with('-') || parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

// The text of a coordinate object.
Result<std::optional<std::string>> read_coordinate(const Arguments& arguments) {
  const Given* given = arguments.find("--coordinate");
  if (!given) return std::nullopt;
  if (arguments.repeated("--coordinate")) {
    return validation_error("--coordinate must not appear more than once");
  }
  const auto& pair = given->values;
  const auto x = pair.size() == 2 ? pixel_of(pair[0]) : std::nullopt;
  const auto y = pair.size() == 2 ? pixel_of(pair[1]) : std::nullopt;
  if (!x || !y) return validation_error("--coordinate requires two non-negative integers (x y)");
  return JsonObject().number("x", *x).number("y", *y).str();
}

Result<void> check_kind(const Arguments& arguments, bool has_coordinate) {
  if (arguments.has("--long") && arguments.has("--focus")) {
    return validation_error("--long and --focus are mutually exclusive.\nUse one of them.");
  }
  if (has_coordinate && arguments.has("--focus")) {
    return validation_error("--focus is not supported with --coordinate");
  }
  return {};
}

}  // namespace

Result<Draft> draft_click(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const auto coordinate, read_coordinate(arguments));
  TRY(const auto matcher, read_matcher(arguments, SelectorFamily::node));
  if (coordinate && matcher) return validation_error("use --coordinate OR a selector, not both");
  TRY_VOID(check_kind(arguments, coordinate.has_value()));
  if (!coordinate && !matcher) {
    return std::unexpected(missing_selector("click", SelectorFamily::node));
  }
  JsonObject params;
  if (matcher) params.json("matcher", *matcher);
  if (coordinate) params.json("coordinate", *coordinate);
  if (arguments.has("--long")) params.text("clickType", "long_click");
  if (arguments.has("--focus")) params.text("clickType", "focus");
  const std::string id = invocation.stamp.long_id("click");
  return Draft{
      single_action({id, id, "clawperator-action", 30000, true}, "click", "click", params.str()),
      invocation.globals.timeout_ms};
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
    "click --selector '{\"textContains\":\"Wi\",\"role\":\"switch\"}'\n",
    Reach::device,
    kOptions,
    run_with_ref<draft_click>};

}  // namespace clawperator::cli
