#include "runtime/host/verbs/clipboard.hpp"

#include "cli/chore.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/people.hpp"
#include "cli/target_argument.hpp"

namespace clawperator::cli {
namespace {

Result<Answer> run_clipboard_get(const Invocation& invocation) {
  TRY(const auto found,
      do_on_device<std::string>(invocation.globals, "clipboard get",
                                [](auto* device) { return read_clipboard(device); }));
  JsonObject json = verb_answer(found.device_id);
  Answer answer{json.text("text", found.value).str(), {}, {}, 0};
  if (invocation.globals.output == OutputMode::pretty) answer.text = printable(found.value) + "\n";
  return answer;
}

Result<Answer> run_clipboard_set(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) {
    return missing_argument("clipboard set requires a text.", "clipboard set <text>");
  }
  const std::string text = words.front();
  if (text.empty() || text.size() > kMostClipboardText) {
    return validation_error("the text must have 1 to " + std::to_string(kMostClipboardText) +
                            " bytes");
  }
  TRY(const auto done,
      do_on_device<Effect>(invocation.globals, "clipboard set",
                           [text](auto* device) { return write_clipboard(device, text); }));
  return Answer{verb_answer(done.device_id, done.value).str(), {}, {}, 0};
}

constinit const Command kClipboardGet = {"clipboard get",
                                         "",
                                         "",
                                         "Tell the text on the clipboard",
                                         "Android's clipboard has no shell commands on any release "
                                         "(7 to 16), and then this is refused.\n"
                                         "It answers where a maker gave it some.",
                                         "clipboard get\n",
                                         Reach::device,
                                         {},
                                         run_clipboard_get};

constinit const Command kClipboardSet = {
    "clipboard set",
    "",
    "<text>",
    "Put a text on the clipboard",
    "Android's clipboard has no shell commands on any release (7 to 16), and then this is "
    "refused.\n"
    "Where a maker gave it some, it is done when the clipboard reads as the text.",
    "clipboard set \"a text\"\n",
    Reach::device,
    {},
    run_clipboard_set,
    {},
    1};

constexpr std::array<const Command*, 2> kClipboardSubcommands{&kClipboardGet, &kClipboardSet};

}  // namespace

constinit const Command kClipboard = {
    "clipboard",
    "",
    "get|set ...",
    "The clipboard, on the few phones that let the shell at it",
    "`type` and `input text` put a text into a field; `key paste` pastes what is there.",
    "clipboard get\n",
    Reach::device,
    {},
    nullptr,
    kClipboardSubcommands};

}  // namespace clawperator::cli
