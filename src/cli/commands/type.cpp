#include "cli/afterwards.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kTypeOptions =
    join(std::array{Option{"--text", "", Arity::one, "<text>",
                           "the text to type, instead of the positional", "", OnMissing::command}},
         kSelectorWithoutText, kRefOption, kAfterwardsOptions, kVerifyOptions,
         std::array{
             Option{"--submit", "", Arity::none, "", "press Enter afterwards"},
             Option{"--clear", "", Arity::none, "",
                    "accepted: the app replaces the text anyway; with \"\" the field is emptied"},
         });

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
  return act::EnterText{*field, *text, arguments.has("--submit"), arguments.has("--clear")};
}

constinit const Command kType = {"type",
                                 "fill enter-text enter_text",
                                 "<text> <selector> | --ref <hash@n> [--submit] [--clear]",
                                 "Type text into a field",
                                 "The app replaces what stands in the field, with and without "
                                 "--clear; `type \"\" --clear` empties it.\n"
                                 "A text that begins with `-` is given as --text=<text>. --text is "
                                 "the text here, so a field is\n"
                                 "selected by its other properties.",
                                 "type \"hello\" --role textfield\n"
                                 "type --text=-5 --id com.example:id/amount --submit\n"
                                 "type \"\" --clear --role textfield\n",
                                 Reach::device,
                                 kTypeOptions,
                                 run_verb<ask_type>,
                                 {},
                                 1};

}  // namespace clawperator::cli
