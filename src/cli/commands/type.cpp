#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kTypeOptions = join(
    std::array{Option{"--text", "", Arity::one, "<text>",
                      "the text to type, instead of the positional", "", OnMissing::command}},
    kSelectorWithoutText, kRefOption, kNthOption, kTriesOption, kAfterwardsOptions, kVerifyOptions,
    std::array{
        Option{"--submit", "", Arity::none, "", "press Enter afterwards"},
        Option{"--clear", "", Arity::none, "",
               "accepted: the text is replaced anyway; with \"\" the field is emptied"},
    });

Result<Answer> run_type(const Invocation& given) {
  const Invocation invocation = with_whole_names(given);
  TRY(auto enter, ask_type(invocation));
  if (invocation.arguments.has("--nth")) TRY_VOID(execution_for(invocation, enter));
  TRY(const auto nth, look_for_nth(invocation, &enter.field));
  if (!nth) return run_action(invocation, enter);
  TRY(enter.field, act::selector_of(*nth));
  JsonObject told;
  nth->matches.tell(told);
  return run_action(invocation, enter, told);
}

}  // namespace

Result<act::EnterText> ask_type(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(auto field, read_ref_selector(invocation, SelectorFamily::node_without_text));
  TRY(const auto text, positional_or(arguments, "--text",
                                     "type: pass text as a positional argument or via --text, not "
                                     "both.\nUse `type <text> <selector>`."));
  if (const Given* given = arguments.find("--text"); given && given->missing_value) {
    return validation_error(given->spelling + " requires a value");
  }
  if (!text) {
    return missing_argument("type requires text to type.", "type <text> <selector>");
  }
  if (!field) {
    TRY(field, require_selector(arguments, SelectorFamily::node_without_text, "type"));
  }
  TRY(const auto tries, read_tries(arguments));
  return act::EnterText{*field, *text, arguments.has("--submit"), arguments.has("--clear"), tries};
}

constinit const Command kType = {"type",
                                 "fill enter-text enter_text",
                                 "<text> <selector> | --ref <hash@n> [--submit] [--clear]",
                                 "Type text into a field",
                                 "The app replaces what stands in the field, with and without "
                                 "--clear; `type \"\" --clear` empties it\n"
                                 "by the phone's own keys, for the app takes no empty text.\n"
                                 "A text that begins with `-` is given as --text=<text>. --text is "
                                 "the text here, so a field is\n"
                                 "selected by its other properties.",
                                 "type \"hello\" --role textfield\n"
                                 "type --text=-5 --id com.example:id/amount --submit\n"
                                 "type \"\" --clear --role textfield\n",
                                 Reach::device,
                                 kTypeOptions,
                                 run_type,
                                 {},
                                 1};

}  // namespace clawperator::cli
