#include "cli/commands/commands.hpp"
#include "cli/drafts.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Result;

constexpr auto kOptions =
    join(std::array{Option{"--text", "", Arity::one, "<text>",
                           "the text to type, instead of the positional", "", OnMissing::command}},
         kSelectorWithoutText, kRefOption,
         std::array{
             Option{"--submit", "", Arity::none, "", "press Enter afterwards"},
             Option{"--clear", "", Arity::none, "", "empty the field first"},
         });

}  // namespace

Result<Draft> draft_type(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(const auto text, positional_or(arguments, "--text",
                                     "type: pass text as a positional argument or via --text, not "
                                     "both.\nUse `type <text> <selector>`."));
  if (!text) {
    return missing_argument("type requires text to type.", "type <text> <selector>");
  }
  TRY(const auto matcher, require_matcher(arguments, SelectorFamily::node_without_text, "type"));
  const std::string id = invocation.stamp.long_id("type");
  const std::string params = JsonObject()
                                 .json("matcher", matcher)
                                 .text("text", *text)
                                 .boolean("submit", arguments.has("--submit"))
                                 .boolean("clear", arguments.has("--clear"))
                                 .str();
  return Draft{
      single_action({id, id, "clawperator-action", 30000, true}, "type", "enter_text", params),
      invocation.globals.timeout_ms};
}

constinit const Command kType = {"type",
                                 "fill enter-text enter_text",
                                 "<text> <selector> | --ref <hash@n> [--submit] [--clear]",
                                 "Type text into a field",
                                 "A text that begins with `-` is given as --text=<text>. --text is "
                                 "the text here, so a field is\n"
                                 "selected by its other properties.",
                                 "type \"hello\" --role textfield\n"
                                 "type --text=-5 --id com.example:id/amount --submit\n",
                                 Reach::device,
                                 kOptions,
                                 run_with_ref<draft_type, SelectorFamily::node_without_text>};

}  // namespace clawperator::cli
