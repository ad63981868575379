#include "runtime/host/verbs/clipboard.hpp"

#include "base/text.hpp"
#include "runtime/android/system_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {
namespace {

std::unexpected<Error> no_clipboard(const CommandOutput& said) {
  ErrorMembers details;
  details.number("adbExitCode", said.exit_status).text("said", one_message(said.text()));
  return fail(
      errc::unsupported,
      "This phone's clipboard has no shell commands, as Android's own has none: only an app "
      "may read and write it.",
      ErrorMembers()
          .text("hint",
                "Type into the field instead: clawperator type, or clawperator input text. "
                "What is on the clipboard is pasted by: clawperator key paste")
          .object("details", details)
          .str());
}

}  // namespace

Task<std::string> read_clipboard(adbproto::Device* device) {
  CO_TRY(const CommandOutput said, co_await run_on_device(device, read_clipboard_line()));
  const bool is_told = said.exit_status == 0 && trimmed(said.err).empty() &&
                       !said.out.starts_with("No shell command implementation") &&
                       !said.out.starts_with("Unknown command");
  if (!is_told) co_return no_clipboard(said);
  std::string text = said.out;
  if (text.ends_with('\n')) text.pop_back();
  if (text.size() <= kMostClipboardText) co_return text;
  co_return fail(errc::limit,
                 "the clipboard holds more than " + std::to_string(kMostClipboardText) + " bytes");
}

Task<Effect> write_clipboard(adbproto::Device* device, std::string text) {
  CO_TRY(const std::string before, co_await read_clipboard(device));
  if (before == text) co_return Effect::unchanged;
  CO_TRY(const CommandOutput done, co_await order_on_device(device, write_clipboard_line(text)));
  const auto now = co_await read_clipboard(device);
  if (!now) co_return std::unexpected(unknown_end(now.error()));
  if (*now == text) co_return Effect::changed;
  ErrorMembers found;
  found.text("said", one_message(done.text()));
  co_return not_confirmed("The clipboard does not hold the text that was set.", device->serial(),
                          found);
}

}  // namespace clawperator
