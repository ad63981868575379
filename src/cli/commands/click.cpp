#include "base/number.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/screen_options.hpp"
#include "cli/selector.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kClickOptions =
    join(kSelectorOptions, kRefOption, kNthOption, kStrictOption, kPatienceOption, kActingOptions,
         std::array{
             Option{"--coordinate", "", Arity::two, "<x> <y>",
                    "screen pixels instead of a selector", "", OnMissing::command},
             Option{"--long", "", Arity::none, "", "press long"},
             Option{"--focus", "", Arity::none, "", "move the input focus instead of clicking"},
         });

std::optional<int> pixel_of(std::string_view text) {
  return text.starts_with('-') ? std::nullopt : whole_number<int>(text);
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

// nullopt without a place. With --ref the empty place is a placeholder: perform() puts the ref's
// node into it.
Result<std::optional<act::Place>> read_place(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const bool has_ref, read_ref(arguments, SelectorFamily::node));
  if (has_ref) return act::Place{};
  TRY(const auto point, read_coordinate(arguments));
  TRY(const auto selector, read_selector(arguments, SelectorFamily::node));
  if (point && selector) return validation_error("use --coordinate OR a selector, not both");
  if (point) return act::Place{*point};
  return selector ? std::optional(act::Place{*selector}) : std::nullopt;
}

Result<std::optional<std::string>> read_click_type(const Arguments& arguments, bool at_point) {
  if (arguments.has("--long") && arguments.has("--focus")) {
    return validation_error("--long and --focus are mutually exclusive.\nUse one of them.");
  }
  if (at_point && arguments.has("--focus")) {
    return validation_error("--focus is not supported with --coordinate");
  }
  if (arguments.has("--focus")) return "focus";
  return arguments.has("--long") ? std::optional<std::string>("long_click") : std::nullopt;
}

constexpr auto kTypeOptions = join(
    std::array{Option{"--text", "", Arity::one, "<text>",
                      "the text to type, instead of the positional", "", OnMissing::command}},
    kSelectorWithoutText, kRefOption, kNthOption, kStrictOption, kPatienceOption, kActingOptions,
    std::array{
        Option{"--submit", "", Arity::none, "", "press Enter after the text"},
        Option{"--clear", "", Arity::none, "",
               "accepted; the text is always replaced; with \"\" the field is emptied"},
        Option{"--secret", "", Arity::none, "", "keep the text out of every answer, log and file"},
    });

}  // namespace

Result<Click> click_from(const Invocation& invocation) {
  TRY(const auto place, read_place(invocation));
  const bool at_point = place && std::holds_alternative<Point>(*place);
  Click click;
  TRY(click.click_type, read_click_type(invocation.arguments, at_point));
  if (!place) return std::unexpected(missing_selector("click", SelectorFamily::node));
  TRY(click.strict, read_strict(invocation.arguments));
  act::put_at(click, *place);
  return click;
}

constinit const Command kClick = {
    .name = "click",
    .synonyms = "tap",
    .usage = "<selector> | --coordinate <x> <y> | --ref <hash@n> [--long | --focus]",
    .summary = "Click a node or a point",
    .examples =
        "click --text \"Wi-Fi\"\n"
        "click --id com.android.settings:id/search_action_bar --long\n"
        "click --coordinate 540 1200\n"
        "click --ref @3\n"
        "click --text Delete --nth 2\n"
        "click --text Delete --strict\n"
        "click --text Submit --patience 0 --output brief\n"
        "click --selector '{\"textContains\":\"Wi\",\"role\":\"switch\"}'\n",
    .options = kClickOptions,
    .run = run_verb<click_from>};

Result<EnterText> type_from(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const bool has_ref, read_ref(arguments, SelectorFamily::node_without_text));
  TRY(const auto text, positional_or(arguments, "--text",
                                     "type: pass text as a positional argument or via --text, not "
                                     "both.\nUse `type <text> <selector>`."));
  if (const Given* given = arguments.find("--text"); given && given->missing_value) {
    return validation_error(given->spelling + " requires a value");
  }
  if (!text) {
    return missing_argument("type requires text to type.", "type <text> <selector>");
  }
  // With --ref the empty selector is a placeholder: perform() replaces it.
  EnterText enter{.matcher = Selector(), .text = text};
  if (!has_ref) {
    TRY(enter.matcher, require_selector(arguments, SelectorFamily::node_without_text, "type"));
  }
  enter.submit = arguments.has("--submit");
  enter.clear = arguments.has("--clear");
  enter.secret = arguments.has("--secret");
  TRY(enter.strict, read_strict(arguments));
  return enter;
}

constinit const Command kType = {
    .name = "type",
    .synonyms = "fill enter-text enter_text",
    .usage = "<text> <selector> | --ref <hash@n> [--submit] [--clear] [--secret]",
    .summary = "Type text into a field",
    .details =
        "The app replaces the text of the field, with and without --clear. `type \"\" --clear`\n"
        "empties the field with the phone's own keys, because the app accepts no empty text.\n"
        "Give a text that begins with `-` as --text=<text>. --text is the text to type here, so\n"
        "a field is selected by its other properties. The text for a known password field is\n"
        "replaced by dots in every answer, log, trace and file. --secret does this for any\n"
        "field.",
    .examples =
        "type \"hello\" --role textfield\n"
        "type --text=-5 --id com.example:id/amount --submit\n"
        "type \"\" --clear --role textfield\n",
    .options = kTypeOptions,
    .run = run_verb<type_from>,
    .most_words = 1};

}  // namespace clawperator::cli
