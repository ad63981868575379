#include "cli/commands/commands.hpp"
#include "cli/dispatch.hpp"
#include "cli/ref.hpp"
#include "cli/selector.hpp"
#include "cli/target_argument.hpp"
#include "cli/verbs.hpp"

namespace clawperator::cli {
namespace {

constexpr auto kReadOptions =
    join(kSelectorOptions, kContainerOptions, kRefOption, kTriesOption,
         std::array{Option{"--all", "", Arity::none, "", "every match, as a JSON array"}});

}  // namespace

Result<act::ReadText> ask_read(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  TRY(auto node, read_ref_selector(invocation, SelectorFamily::node));
  const bool all = arguments.has("--all");
  if (all && invocation.globals.output == OutputMode::pretty) {
    return validation_error("read --all requires JSON output.\nLeave out --output pretty.");
  }
  if (!node) {
    TRY(node, require_selector(arguments, SelectorFamily::node, "read"));
  }
  TRY(const auto container, read_selector(arguments, SelectorFamily::container));
  TRY(const auto tries, read_tries(arguments));
  return act::ReadText{*node, container, all, tries};
}

constinit const Command kRead = {
    "read",
    "read-text read_text",
    "<selector> | --ref <hash@n> [--all] [container flags]",
    "Read the text of a node",
    "",
    "read --id android:id/title\n"
    "read --role text --all --container-id com.android.settings:id/recycler_view\n",
    Reach::device,
    kReadOptions,
    run_verb<ask_read>};

}  // namespace clawperator::cli
