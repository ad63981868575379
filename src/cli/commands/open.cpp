#include <algorithm>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/screen_options.hpp"
#include "cli/settings.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kOpenOptions =
    join(std::array{Option{"--app", "--package --package-id --application-id --app-id --uri --url",
                           Arity::one, "<package-or-uri>", "the target, instead of the positional",
                           "", OnMissing::command}},
         kActingOptions);

constexpr bool is_scheme_char(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// `SCHEME:...` of RFC 3986, or a `SCHEME://` anywhere. A package name has no colon.
bool is_uri(std::string_view target) {
  const auto colon = target.find(':');
  if (colon == target.npos || colon == 0) return false;
  if (is_letter(target[0]) && std::ranges::all_of(target.substr(0, colon), is_scheme_char)) {
    return true;
  }
  for (auto at = target.find("://"); at != target.npos; at = target.find("://", at + 1)) {
    for (auto i = at; i > 0 && is_scheme_char(target[i - 1]); --i) {
      if (is_letter(target[i - 1])) return true;
    }
  }
  return false;
}

constexpr auto kCloseOptions =
    join(std::array{Option{"--app", "--package --package-id --application-id --app-id", Arity::one,
                           "<package>", "the package, instead of the positional", "",
                           OnMissing::command}},
         kActingOptions);

}  // namespace

Result<Action> open_from(const Invocation& invocation) {
  TRY(const auto target, positional_or(invocation.arguments, "--app",
                                       "open: pass the target as a positional argument or via "
                                       "--app, not both.\nUse `open <package-or-uri>`."));
  if (!target || is_blank(*target)) {
    return missing_argument("open requires a target.", "open <package-or-uri>");
  }
  if (is_uri(*target)) return OpenUri{target};
  return OpenApp{target};
}

constinit const Command kOpen = {
    .name = "open",
    .synonyms = "open-uri open-url open-app open_app open_uri open_url",
    .usage = "<package-or-uri>",
    .summary = "Open an app or a URI",
    .details =
        "A name without a dot is an app by the words of its package; \"package\" is the one that "
        "was\n"
        "opened. By the phone's own shell, without the Operator app; \"backend\":\"shell\" stands\n"
        "beside the envelope. --backend app, or a tree afterwards, uses the Operator app.",
    .examples = "open com.android.settings\nopen chrome\nopen https://example.com\nopen tel:123\n",
    .options = kOpenOptions,
    .run = run_verb<open_from>,
    .most_words = 1};

Result<CloseApp> close_from(const Invocation& invocation) {
  TRY_VOID(finite_timeout_or(invocation.globals, 0));
  TRY(const auto package, positional_or(invocation.arguments, "--app",
                                        "close: pass the package as a positional argument or via "
                                        "--app, not both.\nUse `close <package>`."));
  if (!package || is_blank(*package)) {
    return missing_argument("close requires a package name.", "close <package>");
  }
  return CloseApp{package};
}

constinit const Command kClose = {
    .name = "close",
    .synonyms = "close-app close_app",
    .usage = "<package>",
    .summary = "Stop an app",
    .details =
        "By the phone's own shell, without the Operator app; \"backend\":\"shell\" stands beside\n"
        "the envelope. --backend app, or a tree afterwards, uses the Operator app.",
    .examples = "close com.android.settings\n",
    .options = kCloseOptions,
    .run = run_verb<close_from>,
    .most_words = 1};

}  // namespace clawperator::cli
